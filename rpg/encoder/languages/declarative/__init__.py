"""Languages that are defined rather than resolved: a table of node kinds each, over one shared lowering.

In: a syntax tree. Out: the same facts as those of any other language, so that scopes, imports, members of declared
types, overloads and bases come out of the same resolver. What is certain is what scopes, imports and declared types
say; the rest is possible by a unique name, or unresolved.

`spec.py` has the words of a table, `walker.py` names and doc comments, `definitions.py` symbols, `expressions.py` what
refers to them, `packages.py` imports by package, `lowering.py` makes handlers of a table. `rules.py` has what all of
them share: a library may return what it was passed, so that nothing is external without evidence.

To add a language:

1. Print a syntax tree of a file that has all constructs, and look which parts have fields.
2. Add a folder: `__init__.py` (what resolves and what is missing, `Lowering` and `Rules`), `syntax.py` (`SPEC`, and
   `class Lowering(DeclarativeLowering)` with `spec` and `handlers`), `rules.py` (builtins, members that most objects
   have, where imports lead, test files). What the table cannot say is a handler (`Spec.handlers`); where a part is not
   in the node that it belongs to, the language's own walker finds it (`parameters_beside`, `other_body`).
3. Say how other files see a name. By package or namespace: `Rules.has_packages`, `Spec.is_global`, set
   `walker.package`, import with `bind_import`. Everywhere in the repository: the same with an empty package. By
   including files: also `imports = "files"` and `Rules.module`; if it must include them,
   `"libraries"`. By modules that are files: `Rules.module`.
4. Add the entry to `LANGUAGES` (tier `defined`; languages that call each other share a family), a row in
   docs/languages.md, cases under `fixtures/`, a snapshot of facts.
5. Compare the definitions of two known repositories with those of universal-ctags, and read 40 certain calls and 20
   bases of each.
"""
