"""Places of files whose exports a framework calls: pages, layouts, routes and the like of Next.js, Nuxt, SvelteKit,
Astro and Remix."""

from __future__ import annotations

import re
from typing import Final

_CODE: Final = r"\.(?:[jt]sx?|mjs|mts|vue|svelte|astro)"
_APP: Final = (
    "apple-icon default error forbidden global-error icon layout loading manifest not-found opengraph-image page "
    "robots route sitemap template twitter-image unauthorized"
)
RUN: Final = re.compile(
    rf"(?:^|/)(?:"
    rf"app/(?:.*/)?(?:{'|'.join(_APP.split())}){_CODE}"
    rf"|(?:pages|layouts|middleware|plugins|app/routes|server/(?:api|routes|middleware|plugins))/.*{_CODE}"
    rf"|(?:middleware|instrumentation|app|error|app/root|hooks\.server|hooks\.client){_CODE}"
    rf"|\+(?:page|layout|server|error)[\w.@-]*"
    rf")\Z"
)
