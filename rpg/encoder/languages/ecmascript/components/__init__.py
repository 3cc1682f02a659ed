"""Components: files of markup with a script and expressions in JavaScript or TypeScript.

In: the bytes of a file. Out: facts of its script, and of what its markup names: components, handlers, expressions.
`markup` finds tags and what stands in braces, `component` lowers what a format (`vue`, `svelte`) finds there. Every
region is parsed where it stands, so that its lines and columns are those of the file.

Absent: styles, markup in another language (Pug), names that exist only at run time (global components, mixins).
"""
