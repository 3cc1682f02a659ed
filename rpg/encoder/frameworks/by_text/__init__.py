"""What a text names that no import leads to: keys of translations, commands, files that a browser asks for.

In: a file (`Source`). Out: rows. `literals.py` reads nested literals of any language, `locales.py` files of
translations, `translations.py` the code that names their keys, `commands.py` both sides of commands, `words.py` says
which files are looked at. Which of several is meant, `settings/matching.py` says. Absent: names that are put together
while the program runs, but for those of which a beginning is known: these possibly mean what begins so.
"""
