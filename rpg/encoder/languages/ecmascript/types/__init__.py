"""What lowers types: TypeScript's annotations, the members of object types, and the types in JavaScript's doc comments.

In: nodes and comments. Out: expressions in type position, scopes of members. Absent: declarations of types, which are
lowered like classes (lowering/interfaces.py).
"""
