"""What `explore` answers: outlines, walks, paths, maps and pictures.

In: a view and what to show. Out: one type of answer (answer.py), whichever kind it is, and its text.
"""
