"""The tables of the index: one disposable SQLite file, derived from the graph file and the sources.

`pragma application_id` is APPLICATION_ID. `meta` names what the index belongs to:

    format          INDEX_FORMAT
    rules           RULES_VERSION that made it
    code            a hash of the code that made it; other code of the same rules parses sources again
    generation      a new random word each time the contents are replaced
    graph_hash      of the graph file with the same content; empty while it has not been written yet
    graph_stat      the stamp of the existing file (rpg/system/stamp.py) and when it was seen, separated by spaces, so
                    that it need not be hashed to be recognised
    previous_hash   of the graph file that it replaced: one that still exists is older than the index
    behind          JSON, paths whose lines in that older file are outdated; absent if no write is deferred
    header          JSON, the graph's
    root            the repository's folder; empty if only the graph file was known
    refused         a folder that could not be encoded, if the index was made from the graph file instead
    options         JSON, of the encode
    beside          JSON, content hash by path: unlisted configuration that influenced the encode
    unread          JSON, by path: of files that were skipped for what is in them the stamp, and a time before they were
                    read
    consulted       JSON, paths of files whose text resolution asked for
    basis           repository, or graph: made from just the graph file, without sources, facts and places
    edges           JSON, how many there are of each kind; absent if not counted
    embedder        which model made the vectors
    adopted         1 if another installation made rows (adoption.py)
    file            when the file of this index was created; it does not match a copy (seal.py)
    log             when its log was created
    seal            a hash of all these, keyed with a secret of the installation that wrote them

Tables for search are made here and filled by build.py.

What follows from the rest of a row is computed when it is read (SQLite's generated columns), so that queries need not
know how it is stored.
"""

from collections.abc import Sequence

from rpg.graph import EDGE_KINDS, REASONS, SYMBOL_KINDS, VIAS

APPLICATION_ID = 0x52504731
INDEX_FORMAT = "18"
SCHEMA = "e64b87761babe3abfd1b6217587e4162"
"""`schema_of` returns this for an index of this format; any other index was not made by rpg. Raise INDEX_FORMAT when a
table changes."""


def _read_word(column: str, words: Sequence[str]) -> str:
    """What a column stands for that has the place of a word among `words`, or a word that is not there."""
    cases = " ".join(f"WHEN {code} THEN '{word}'" for code, word in enumerate(words))
    return f"CASE {column} {cases} ELSE {column} END"


TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Every file that was read or skipped. `source` and `facts` are compressed, and empty where a file was
-- skipped.
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    language TEXT NOT NULL,
    hash TEXT NOT NULL,              -- of the bytes
    size INTEGER NOT NULL,           -- this and the next three are the stamp of the file
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    indexed_ns INTEGER NOT NULL,     -- before it was read: a file as young as that is hashed again
    skipped TEXT NOT NULL DEFAULT '',
    source BLOB,                     -- compressed, UTF-8
    facts BLOB,
    terms BLOB                       -- term counts, of which the search index is made
);
-- Covers what a check for changed files reads, so that it never touches the pages of the sources.
CREATE INDEX files_by_path ON files (path, hash, size, mtime_ns, ctime_ns, inode, indexed_ns, skipped, language);

-- `id` rises in the order of the graph file, with room between files (rows.py); `parent` is the containing symbol
-- (NULL for the root directory). `extra` is JSON of those present of: decorators, modifiers, returns, references.
-- The symbol id is found by its hash (rows.py). `own_symbol` and `own_qualified_name` are set where these follow from
-- nothing. `kind_code` is the place of `kind` in SYMBOL_KINDS, or a word that is not there. `hash_number` has the 64
-- bits of `hash`, `own_hash` one that is written otherwise. `library` says that it is of a library that was read: the
-- table has all symbols, and the view `symbols` those of the repository: what does not ask for more tells of these.
CREATE TABLE all_symbols (
    id INTEGER PRIMARY KEY,
    symbol_hash INTEGER NOT NULL,
    own_symbol TEXT,
    kind_code INTEGER NOT NULL,
    name TEXT NOT NULL,
    around_name TEXT,                -- what stands before the name in the qualified name; NULL if that is the path
    own_qualified_name TEXT,
    path TEXT NOT NULL,
    parent INTEGER,
    language TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    name_line INTEGER NOT NULL,
    name_column INTEGER NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL,
    hash_number INTEGER,
    own_hash TEXT,
    exported INTEGER NOT NULL,
    test INTEGER NOT NULL,
    extra TEXT NOT NULL DEFAULT '',
    library INTEGER NOT NULL DEFAULT 0,
    kind TEXT AS ({_read_word("kind_code", SYMBOL_KINDS)}),
    hash TEXT AS (coalesce(own_hash, format('%016x', hash_number))),
    qualified_name TEXT AS (coalesce(own_qualified_name, around_name || name, path)),
    symbol TEXT AS (coalesce(own_symbol, iif(qualified_name = path, path, path || '::' || qualified_name)))
);

-- In the order of the graph file by source, then position. `sites` as there: "line:column", separated by blanks;
-- `roles` a letter for each, or empty. Kind and rule are numbers as a symbol's kind is.
CREATE TABLE edges (
    source INTEGER NOT NULL,
    position INTEGER NOT NULL,
    target INTEGER NOT NULL,
    kind_code INTEGER NOT NULL,
    via_code INTEGER NOT NULL,
    sites TEXT NOT NULL,
    roles TEXT NOT NULL,
    kind TEXT AS ({_read_word("kind_code", EDGE_KINDS)}),
    via TEXT AS ({_read_word("via_code", VIAS)}),
    PRIMARY KEY (source, position)
) WITHOUT ROWID;

-- References without an edge. Unresolved and ambiguous ones stand here by place; external ones once for each file and
-- name, with the module as `source` and the line of the first.
CREATE TABLE places (
    name TEXT NOT NULL,
    source INTEGER NOT NULL,
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,
    reason_code INTEGER NOT NULL,
    call INTEGER NOT NULL,
    bare INTEGER NOT NULL,           -- the name stands alone, and not as a member of something
    reason TEXT AS ({_read_word("reason_code", REASONS)})
);

-- What resolution leaves behind for the next edit (resolve/incremental/saved_state.py), as compressed JSON: by file or
-- folder, and by what was looked for in all files. `mentions` are the paths of other files in whose terms a row is
-- written.
CREATE TABLE flow (path TEXT PRIMARY KEY, data BLOB NOT NULL, mentions TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE survey (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
"""

OWN_SYMBOLS = "CREATE TEMP VIEW symbols AS SELECT * FROM main.all_symbols WHERE library = 0"
"""Every connection makes it for itself: a file may have no view, as that could stand for anything."""

SEARCH_TABLES = """
CREATE TABLE search_units (
    unit INTEGER PRIMARY KEY,
    symbol INTEGER NOT NULL,         -- its id in `symbols`
    vector BLOB NOT NULL,            -- int8; empty where the embedder knows nothing of it
    fingerprint BLOB NOT NULL        -- see fingerprints.py; empty where there is no source
);

-- A term is named by its hash. Each blob holds numbers (see numbers.py), then a level for each.
CREATE TABLE search_terms (
    term INTEGER PRIMARY KEY,
    units BLOB NOT NULL,
    blocks BLOB NOT NULL,
    files BLOB NOT NULL
);

-- What a question must know of the whole: the fields of `Statistics`.
CREATE TABLE search_statistics (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

-- `names` are the spellings of one folded name, as in `symbols.name`, separated by newlines.
CREATE TABLE search_names (id INTEGER PRIMARY KEY, folded TEXT NOT NULL, names TEXT NOT NULL);

-- Ids of the names that have a trigram (see numbers.py); names.py says what key a trigram has.
CREATE TABLE search_trigrams (trigram INTEGER PRIMARY KEY, names BLOB NOT NULL);

-- Ids of the files whose text has a trigram, named by its hash: a byte that says how they are written, then a list as
-- in numbers.py, or bits.
CREATE TABLE search_texts (trigram INTEGER PRIMARY KEY, files BLOB NOT NULL);
"""
"""tables.py and names.py describe their contents."""

INDEXES = """
CREATE INDEX symbols_by_hash ON all_symbols (symbol_hash);
CREATE INDEX symbols_by_name ON all_symbols (name COLLATE NOCASE);
CREATE INDEX symbols_by_path ON all_symbols (path, start_line);
CREATE INDEX symbols_by_parent ON all_symbols (parent);
CREATE INDEX edges_in ON edges (target);
CREATE INDEX places_by_name ON places (name);
CREATE INDEX places_by_source ON places (source);
"""
"""Created after the rows, which is several times faster than updating them on each insert."""
