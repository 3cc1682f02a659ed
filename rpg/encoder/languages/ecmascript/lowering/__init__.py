"""What lowers statements and expressions of ECMAScript, a module for each kind of construct.

In: nodes of the syntax tree. Out: calls of the builder. Each module knows those before it: `named_values`, `commonjs`,
`property_descriptors`, `library_calls`, `suites`, `expressions`, `operators`, `jsx`, `members`, `patterns`,
`functions`, `objects`, `declarations`, `assignments`, `classes`, `interfaces`, `modules`, `statements`.
`file_lowering` puts their handlers together, through which they reach those after them.
"""
