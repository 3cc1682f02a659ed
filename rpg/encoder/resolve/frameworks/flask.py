"""Flask: decorators of an application or blueprint register views, hooks and error handlers.

Out: what registers, as data.
"""

from __future__ import annotations

from rpg.encoder.resolve.frameworks.plugin import Plugin

_SCAFFOLD = frozenset(
    """
    route get post put patch delete endpoint errorhandler before_request after_request teardown_request
    context_processor url_value_preprocessor url_defaults
    """.split()
)


class Flask(Plugin):
    library = frozenset({"flask"})
    own = frozenset({"flask"})
    registrars = {  # noqa: RUF012
        "Flask": _SCAFFOLD
        | set("template_filter template_test template_global shell_context_processor teardown_appcontext".split()),
        "Blueprint": _SCAFFOLD
        | set(
            """
            app_template_filter app_template_test app_template_global before_app_request after_app_request
            teardown_app_request app_context_processor app_errorhandler app_url_value_preprocessor app_url_defaults
            record record_once
            """.split()
        ),
    }
