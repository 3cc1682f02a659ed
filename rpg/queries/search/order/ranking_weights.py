"""Every constant of the ranking by words and meaning on the side of the query, each with its reason.

The formula is in ranking.py; constants that are built into the index are in stores/search/field_weights.py, which also
explains the figures: `doc` and `hist` are tasks of bin/developer/bench/search.py.
"""

from __future__ import annotations

# Words of the query

REPEATED = 1.2
"""k on the query's side: a word said twice counts 2.2 * 2 / 3.2 times."""
IN_CODE = 3
"""How often a word of the code that came with the query counts: it finds what the sentence itself does not."""
IDF_POWER = 0.36
"""Rare words count more, but far less than in BM25: in code the rare word is often an accident."""
IDF_POWER_LONG, LONG_QUESTION = 0.7, 30
"""The same for a query of more words than this: a long text (a bug report) has many common words that must count less.
"""
UNKNOWN_TELLS = 1.35
"""A word that the table does not know is a name of this repository: it carries more information than the median word.
"""
NEAR_WEIGHT, LEAST_NEAR = 0.75, 0.45
"""Near terms replace a word of the query with its count * 0.75 * similarity²: +1 point of doc. Terms that are less
similar than the second are not near."""
SYNONYM = 0.5
"""Weight of a synonym, relative to the word of the question that it replaces."""
JOINED, JOINED_AMONG = 0.9, 40
"""What two words of a question written as one cover of its information (`login`, `timeout`, `filesystem`: as one it is
the name of the thing), and among how many words they are looked for. Of 266 public questions NDCG is .890 with it, .884
without; topics lose by it."""
COVERED = 0.3
"""A unit that has every word somewhere beats one that has half of them in its name: +1.9 points of hist."""

# Reports of bugs (issue_text.py)

TITLE_COUNTS = 4
"""How many times more the words of the title count. Of 62 reports with the fix that is known (SWE-bench Lite, eight
repositories), the file is first in 33 with 0 or 2, and in 34 with 4; among the first five in 51, and 52 with 2 or 4."""
LEAST_LINES, LEAST_WORDS, LEAST_TITLE = 3, 15, 3
"""Of a report, and of its title: less is a snippet or a sentence."""
MOST_IN_VERSION = 4
"""Words of a line that states a version. A line with more is a sentence with a number in it."""
VERSIONS_IN_BLOCK = 0.3
"""From this share of lines with a version on, all lines together are what some tool prints of its surroundings."""
LONGEST_LINE = 100
"""Characters of a line that can be one of a list of versions."""

# Vectors

SEMANTIC = 0.6
"""Weight of the vectors for a short query. By themselves they find less than words do; together both find more."""
OF_MODEL, BESIDE_MODEL = 0.65, 0.4
"""Weights of the vectors of a user's model and of the built-in ones next to them: they err in different places."""
OF_MODEL_ASKED = 4.0
"""The first for a question in words, however long: such questions seldom have the words of the code. Of those on which
it was chosen, and of those of three other repositories, more have what they need than with 3, and fewer with 5."""
OF_MODEL_SPOKEN, SPOKEN = 0.5, 0.7
"""The first instead of that if a unit has this share of the question's information: then the question has the words of
the code, and the vectors may decide between what has them. With 4 such questions found less with the sentence encoder
than without it (NDCG .884 and .889; .890 with this), and the others lose nothing."""
SHORT_WORDS, LONG_WORDS, LONG_SHARE = 6, 20, 0.3
"""Up to 6 words vectors count in full, then less and less, 0.3 times as much from 20 on: a long query names what it is
about."""

# The graph

BESIDE, FIRST = 0.075, 40
"""Share of the best score among the other first hits (this many) that a hit uses or is used by: the place to look is
where several matching things meet: +0.65 points of hist file@5. Inheritance between hits costs doc more than it gains.
"""
TITLE_WORDS, TITLED = 4, 5
"""A query of at least 4 words that is the title of a test finds it first, but no more than 5 of that title: shorter
titles ("error handling") are also what one asks about the code."""
STANDING_BEHIND = 0.3
"""Factor for tests, their data, benchmarks and declarations: they use every word of what they test or declare."""
TESTS_ASKED = 0.7
"""The same if the query names tests: "test coverage of spiders" asks for the spiders too, and tests by themselves would
fill the page: +0.6 of hist."""
STANDING_INSIDE = 0.7
"""Factor for nested functions: nothing outside can call them, and a reader looking for one reads the code around it."""

# Questions in words (question_order.py)

USERS = 0.3
"""Weight of the logarithm of the number of a symbol's users: such questions are mostly about the parts that the others
depend on."""
BESIDE_THE_CODE = 0.3
"""Factor for examples, benchmarks, scripts and documentation: they use the words of everything they show."""
BESIDE_ASKED, LENDERS = 0.6, 60
"""Weight of what neighbours pass on, and how many hits pass on some of their score: of the questions of newcomers on
which this was chosen, a third more have what they need among the first 20."""
PASSED = {
    ("calls", True): (0.5, 6, "called by"),
    ("calls", False): (0.45, 2, "calls"),
    ("references", True): (0.2, 6, "used by"),
    ("references", False): (0.25, 2, "uses"),
    ("inherits", True): (0.25, 6, "base of"),
    ("inherits", False): (0.15, 2, "derives from"),
    ("overrides", True): (0.3, 6, "overridden by"),
    ("overrides", False): (0.35, 2, "overrides"),
}
"""By kind of edge and direction (with it or against it): the share of a hit's score that is passed on; how many such
neighbours it may have before each gets less; and how that is said."""
PASSED_TO_CLASS = 0.5
"""The share for the class around a member."""
KEPT_FIRST = 3
"""How many hits stay in front: a question that has the words of the code is answered by the first few."""
OFFERED = 60
"""How many neighbours that are not hits themselves are considered."""
COMMON, READ_USERS = 8, 200
"""A symbol with more users than the first gets less from each; users of a hit with more than the second are not
read."""

# Files and symbols in one order (file_order.py)

OTHERS, OTHERS_FALL = 0.1, 0.8
"""What the other hits of a file add to its best one, and what each counts of the one before: the file in which most of
a topic is comes first. With 0.3 large files come before better ones."""
NAMED_FILE = 0.8
"""What a file gains whose whole name is asked for: files are named for their subject. Anything from 0.6 to 1 does."""
WRITTEN_FILE = 1.5
"""Factor for a file that the query has by its name, as stack traces do."""
SHORTEST_ALIKE = 4
"""Letters from which a word of a file's name counts if it only begins like a word of the query: `impls`, `auth`."""
SET_ASIDE = 0.8
"""Factor for a file that is kept for those who use something old, and for examples: there is a newer one like it."""
OF_PLATFORM = 0.7
"""Factor for a file that is for Windows or for a rarer system, unless a system is asked for: it has the same functions
as the one that everybody else reads. Of the 32 public repositories only libuv has many such files: NDCG of .66 with 1,
.76 with .8, .85 with .6."""
FEW_WORDS, MANY_WORDS = 4, 12
"""Up to 4 words both count in full, from 12 on not at all: a long text has the name of many a file by chance. Without
this hist loses a point."""
AGAIN, AGAIN_IN_SENTENCE = 0.2, 0.97
"""What a further hit of a file counts. Whoever writes a topic looks for the places that it has, and reads a file once;
a sentence that says what a function does means one function, which may have several like it in its file. Of the gain
that is possible in the first ten files for 641 public queries (NDCG), 0.2 brings .85, and 1 brought .78; in sentences,
0.9 costs doc half a point."""
FILE_HITS = 100
"""How many of the first hits decide about the order of files: those that a page of usual length reads."""

# How much is read

POSTINGS = 100_000
"""How many postings are read for one query, beginning with the rarest term: what comes later are the most frequent
words of a long query, which are nearly everywhere."""
FEWEST_TERMS = 8
"""Terms that are always read: in a large repository all words of a query can be frequent."""
CANDIDATES = 200
"""How many of the best units by words are scored in full; more never changed the first twenty."""
FILTERED_CANDIDATES, FILTERED_PAGES = 2_000, 4
"""Units considered if kinds exclude most of them: at least the first, and the second times the number of hits shown."""
NEAREST = 50
"""How many of the nearest units by vector are added if words find little."""
NEAREST_BY_MODEL = 200
"""The same by the vectors of a user's model, which are also added for every question in words."""
NEAREST_OF_ALL, NEAREST_OF_SOME = 4, 40
"""Factors for that number, with the built-in vectors: the second if a filter is going to exclude most units."""
FEW_COVERED = 0.5
"""The nearest by vector are added if no candidate has half of the query's information."""

# The page

ENOUGH, ENOUGH_OF_MANY, MANY = 5, 2, 40
"""How many times the number of hits shown are read, and the factor if more than MANY are shown: copies are folded, and
files with two hits already give way to others."""
LEAST_FILLED = 2
"""No more are read once there are this many times the number of hits shown."""
SPREAD_FROM, SPREAD_TO = 0.7, 2
"""From this share of a list that is not shown on, files with two hits give way to others."""
SCORE_DIGITS = 3
"""Digits of a displayed score; `min_score` compares the rounded value."""
FULL, FULL_MOST, FALL = 5, 8, 0.7
"""Hits after the first 8 are listed briefly, and after the first 5 those that score less than 0.7 of the best. Half of
the queries show just 5 in full.
"""
WEAK_COVERED, WEAK_WORDS, WEAK_SCORE = 0.5, 12, 0.1
"""If no hit has half of the query's information, or the best scores less than 0.1, the answer calls its hits weak: most
such queries are about something else. Of doc, 4% are called so. A query of more than 12 words is judged by score alone:
nothing has half of its information."""
FEATURE_TITLE, FEATURE_FADE = 1.5, 0.8
"""Of areas, categories and features: what a title counts that has all words of the query, where the best symbol counts
0.5; and what each further symbol of a place counts, of what the one before it did. Judgement: a title says what people
call the thing, and many weak hits are no evidence."""
