"""Routes of Rails: those that the encoder reads in `config/routes.rb` and the files in `config/routes/`.

In: these files. Out: entries. The methods that routes lead to are those of the graph's edges.
"""

from __future__ import annotations

from rpg.encoder.frameworks.http.rails import FILE, find_routes
from rpg.queries.inventories.code_file import CodeFile, place_of
from rpg.queries.inventories.entry import Entry
from rpg.queries.inventories.reading import Code
from rpg.queries.inventories.routes.route_entry import route_entry
from rpg.stores.index.import_reads import list_methods_named_in
from rpg.stores.index.symbol_reads import list_modules_ending


def rails_routes(code: Code) -> list[Entry]:
    files = [code.file(path) for path in sorted(list_modules_ending(code.index, ".rb")) if FILE.fullmatch(path)]
    return [
        route_entry(file, each.line, "Rails", each.methods, each.path, each.handler)
        for file in files
        if file is not None
        for each in find_routes(file.source.decode("utf-8", "replace"), _handlers(file))
    ]


def _handlers(file: CodeFile) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for sites, path, name in list_methods_named_in(file.index, file.path):
        for site in sites.split():
            found.setdefault(place_of(site)[0], []).append(f"{path}::{name}")
    return found
