"""What an edit has broken, and nothing else.

    find_broken(index, root, header, since, until="", with_notes=False, with_old=False) -> Verdict

In: an index that describes the work tree, the repository's folder, a revision to compare with; `until`: a second one,
in place of the work tree. Out: a `Verdict`:

    broken      list of Broken: path, line (after the edit), certain, kind (breakage/findings.py), message, hint (what
                to do where that is plain: `renamed to make_request, client.py:340`), symbol (id before the edit),
                follows (how many more places fall with this one)
    changed     ids of the symbols that came, went or look different from outside; `files`: changed files of code
    checked     how many uses were compared
    unjudged    `path:line` of places that may be broken, and cannot be judged
    without_arguments   languages of checked uses whose arguments are not judged
    renamed     symbol or file before -> after

`revisions.py` reads what files contained, `spoken.py` finds strings, settings, templates and paths that
name what is gone, `notes.py` what an edit leaves behind that breaks nothing, `renames.py` says what is
called otherwise now, `verdict.py` has the types.
Resolution is in rpg/encoder/resolve/breakage/. Absent: the tests to run, hooks and reviews, which build on this.
"""
