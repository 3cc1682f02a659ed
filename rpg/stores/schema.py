"""The tables of the index: one disposable SQLite file, derived from the graph file and the sources.

`pragma application_id` is APPLICATION_ID; `meta` names what the index belongs to: `format`, `rules` (RULES_VERSION),
`graph_hash` (of the graph file written with it), `root` (the repository's folder), `options` (JSON, of the encode),
`header` (JSON, the graph's), `embedder` (which model made the vectors).
"""

APPLICATION_ID = 0x52504731
INDEX_FORMAT = "1"

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Every file that was read or skipped. `source` and `facts` are compressed; rows of skipped files have neither.
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    language TEXT NOT NULL,
    hash TEXT NOT NULL,              -- of the bytes
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    indexed_ns INTEGER NOT NULL,     -- when it was read: a file as young as that is hashed again
    skipped TEXT NOT NULL DEFAULT '',
    source BLOB,
    facts BLOB
);

-- `id` follows the order of the graph file; `parent` is the containing symbol (NULL for the root directory).
CREATE TABLE symbols (
    id INTEGER PRIMARY KEY,
    symbol TEXT NOT NULL UNIQUE,     -- the symbol id
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    qualified_name TEXT NOT NULL,
    path TEXT NOT NULL,
    parent INTEGER,
    language TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    name_line INTEGER NOT NULL,
    name_column INTEGER NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL,
    hash TEXT NOT NULL,
    exported INTEGER NOT NULL,
    test INTEGER NOT NULL,
    extra TEXT NOT NULL DEFAULT ''   -- JSON of the fields that are seldom present
);
CREATE INDEX symbols_by_name ON symbols (name COLLATE NOCASE);
CREATE INDEX symbols_by_path ON symbols (path, start_line);
CREATE INDEX symbols_by_parent ON symbols (parent);

-- `sites` as in the graph file: "line:column", separated by blanks.
CREATE TABLE edges (
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    kind TEXT NOT NULL,
    via TEXT NOT NULL,
    sites TEXT NOT NULL
);
CREATE INDEX edges_out ON edges (source, kind);
CREATE INDEX edges_in ON edges (target, kind);

-- References without an edge: unresolved and ambiguous ones by place; external ones by name and file only.
CREATE TABLE places (
    name TEXT NOT NULL,
    source INTEGER NOT NULL,
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,
    reason TEXT NOT NULL,
    call INTEGER NOT NULL
);
CREATE INDEX places_by_name ON places (name);
"""
