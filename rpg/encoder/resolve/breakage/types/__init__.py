"""Rules for the declared types of parameters, as the text of a signature says them: which literals they take.

In: a call before and after, or what files contain. Out: a finding, or names of functions to look at. Nothing is
inferred: a type that is not of the language itself, and an argument that is no plain literal, fit.
"""
