"""Every constant by which the evidence for an answer is chosen, each with its reason.

Search gives symbols a similarity to the question, from 0 to 1 (evidence.py). Similar symbols pass some of it to their
neighbours in the graph (graph_expansion.py):

    score  = similarity + BESIDE * passed, or ALIEN * passed for a symbol that search did not find
    passed = root of the sum of squares of: score of the neighbour * weight of the step * factors below

For a question that asks who uses something, or what breaks with it, the largest contribution counts by itself. The best
symbols are shown, whole or in part, until the budget is spent (excerpt_choice.py).
"""

from __future__ import annotations

from typing import NamedTuple

# What search finds

SEARCHED = 100
"""How many hits add their similarity to the graph's evidence."""
CONTRAST = 0.8
"""Subtracted from every hit: this share of the last hit's similarity."""
IN_CODE = 3.0
"""Weight of similarity to words of the code that came with the question: whoever asks knows better than any table which
words the code uses."""
ABOUT = 1.0
"""Weight of similarity to what is asked about the symbols that a question names."""

# What a question names

NAMED = 1.0
"""Score of a symbol that the question names in code spelling."""
CAPITAL = 0.5
"""The same for a capitalised word that is a symbol's name: perhaps the question means it."""
SUPPOSED = 0.8
"""The same for a symbol whose name is among the words of the code that came with the question."""
MISSPELLED = 0.75
"""Similarity from which an unknown name is read as another one."""
NAMESAKES = 5
"""A name that more symbols share is too vague."""

# Steps along an edge: share of the score that is passed on

CALLED, CALLER = 0.60, 0.55
"""Callees show how something works, and callers nearly as much."""
USED, USER = 0.25, 0.30
"""A reference says less than a call."""
OVERRIDDEN, OVERRIDING = 0.30, 0.35
"""The other implementations of a method: an overriding one shows what happens instead."""
BASE, DERIVED = 0.25, 0.15
"""A class depends on its base, and says little about what derives from it."""
CALLER_ASKED, USER_ASKED, DERIVED_ASKED = 0.9, 0.8, 0.8
"""For a question that asks who uses something, or what breaks with it: users are the answer itself."""
HOPS = {"how": 2, "where": 2, "who": 1, "breaks": 3}
"""How many edges are followed in a row: users are one step away, the effects of a change more."""
LENDERS = 32
"""How many candidates pass some of their score to their neighbours."""

# Factors of what is passed on

BESIDE = 0.6
"""Factor for passing score to a candidate that is similar by itself: its own words say more about it."""
ALIEN = 0.85
"""Factor for a symbol without any word of the question, although much around it has some."""
FAINT = 0.1
"""A neighbour offered less than this share of the best offer is skipped: it would not be shown."""
NOTHING = 0.4
"""The share of that which a single offer must reach."""
POSSIBLE = 0.5
"""Weight of a possible edge, compared with a certain one."""
TESTS_ALIKE = 0.5
"""Factor for tests and their helpers that resemble a question which is not about tests: where it shares few words with
the code, servers and clients of tests have them all."""
IN_TESTS = 0.3
"""Factor for tests: they show a use, and seldom how something works."""
TOP_LEVEL = 0.3
"""Factor for top-level code: it registers and decorates, and seldom explains."""
COMMON = 8
"""The more places beyond this number use a symbol, the less it explains."""
MANY = 8
"""A function that calls more than this does many things, and each says less about it."""
RARE = 2
"""A caller says what a function is for, unless it is one of many."""
NAMED_CLASS = 0.5
"""A class that is only referred to is usually an annotation."""
CONSTRUCTED = 0.5
"""Creating an object, especially an exception, says less about what happens than calling a function."""
PASSES_ON, SHORT = 1.5, 12
"""The callees of a function with at most this many lines are most of what it does, and so are the methods that override
it."""
AROUND, AROUND_MOST = 0.5, 0.75
"""Score of the class around methods, as a share of their total, and at most as a share of the best one."""
NAMESAKE, NAMESAKES_IN_FULL = 0.6, 3
"""Factor for every further candidate of the same name: the tenth implementation of a method explains less than the
first."""
BRIEF = 2
"""A function with at most this many lines after its name only passes something on; those of one class or file count as
candidates of the same name."""

# What a symbol may hold of an answer

LENGTH_POWER, FULL_LENGTH = 0.5, 128
"""A function counts by its lines to this power, up to so many. Fitted on the questions of newcomers to six
repositories, each in turn left out: of what they need, .45 instead of .31 is among the first 8 symbols, .56 instead of
.46 among the first 15."""
RUNS_NOTHING = 0.02
"""Factor for classes, fields, constants and files, unless the question names them: no such question was answered by
one. They are named behind, where there is room."""

# Central symbols, and an overview

CENTRAL, CENTRAL_READ = 40, 4
"""The most symbols shown, and how many times that number are read: kind and similarity change their order."""
FROM_TESTS = 0.4
"""Weight of a user in the tests: tests show what the interface is, but use helpers just as much."""
FROM_SAME_FILE, MOST_FROM_SAME_FILE = 0.2, 5
"""Weight of a user in the same file, and how many of them count: they are parts of one thing."""
FUNCTIONS = 0.5
"""Weight of a function, compared with a class with as many users."""
NOT_EXPORTED = 0.5
"""Factor for symbols that are not exported: users of the repository do not see them."""
MEMBERS_NAMED, FIELDS_NAMED = 10, 3
"""How many methods and fields of a class are named, the most used first; fields say less."""
TOPIC_SHARE = 0.5
"""Share of the similar symbols that a directory must contain to be the question's topic."""
PARTS, PARTS_AFTER = 4, 8
"""How many central symbols of the topic are shown with their members, and after how many of the best candidates."""

# Whether the evidence contains an answer

ENOUGH_SPOKEN = 0.5
"""Share of the weight of a question's words, in one symbol. Questions known to have their answer in a repository are
above, those without one below."""
UNKNOWN_IF_WEAK, BEST_IF_WEAK = 0.34, 0.42
"""An answer is called weak if at least this share of the words that say what the question is about is in none of the
first symbols, and no hit has this share of the question's information. Of forty questions of newcomers that have an
answer .08 are called so, of ten without one .7; either by itself, or vectors, separate them less."""
ABSENT_IF_WEAK = 0.5
"""It is called weak too if this share of those words stands nowhere in the repository, in code or documents: nothing
is about what nothing names. Of 46 questions of the benchmark with an answer none is called so."""
BEST_AMONG = 20
"""How many of the first hits are asked for that share."""
ENOUGH_IN_DOCUMENTS = 0.7
"""The same for documents: a long text mentions many things without saying much about any."""
DOCUMENTS = 2
"""How many documents, or sections of them, come before the code if the code is not about the question."""
SPOKEN_BY, SPOKEN_LINES = 12, 150
"""How many symbols are examined, and how many lines of each."""
SPOKEN_BY_SYNONYM = 0.6
"""Weight of a synonym."""
USES_OF_BLOCK, USES_OF_FILE = 3, 10
"""How often a word that names a class or a path counts as a use of it: common words say less."""

# What is shown


class Packing(NamedTuple):
    """How much of the budget one symbol may take."""

    whole_shares: tuple[tuple[int, float], ...]
    """Up to this rank, a symbol is shown whole if it takes at most this share of the budget."""
    largest_share: float
    """Share of the budget for one piece."""
    outline_share: float
    """Share of the budget for symbols shown only by their signature."""
    matching_in_best: int
    matching: int
    """How many matching lines are shown of a truncated symbol."""
    names_share: float = 0.0
    """Share of the budget for symbols shown by one line."""


SURE = Packing(((2, 0.2), (4, 0.06), (10, 0.03), (10_000, 0.012)), 0.2, 0.05, 10, 1, 0.1)
"""If the best symbol has the words of the question, or of the terms given with it, the first few are the answer, and
are shown whole. The rest is shown briefly: of twenty questions of newcomers with terms, on which this was chosen, 18
instead of 17 have all that they need, and without terms no set of questions has less than before."""
UNSURE = Packing(((1, 0.2), (4, 0.08), (12, 0.04), (10_000, 0.015)), 0.2, 0.02, 10, 4, 0.1)
"""If none has, the right ones may rank thirtieth as well as first: more of them are shown, each briefly."""

BRIEFLY, FEW_TOKENS = Packing(((1, 0.25), (3, 0.1), (10_000, 0.0)), 0.25, 0.0, 4, 2, 0.55), 1_500
"""With a budget of at most so many tokens: the best few with the lines that matter, then as many as there is room for
by the line that has their name. Of what newcomers need, a thousand tokens had .21 before, in half of the room for
excerpts and a table of contents."""
NAME_OVERHEAD, NAME_WIDTH = 8, 90
"""Tokens of such a line besides path and source, and the most characters of its source."""

MOST_PIECES = 40
"""The most excerpts, however large the budget is."""
WORTH = 0.03
"""A candidate below this share of the best score adds nothing."""
LEAST_ROOM = 0.02
"""Share of the budget. Less than this has room only for a signature, and signatures come after the pieces."""
MOST_IN_VAIN = 12
"""Candidates in a row for which there was no room, after which the rest is shown by name or signature: otherwise a
hundred are cut to size to find one that is short by chance."""
PIECE_OVERHEAD = 24
"""Tokens of a piece besides its source: name, place and reason."""
LEAST_OUTLINE = 2 * PIECE_OVERHEAD
"""The least number of tokens for a signature."""
CALLS_SHARE = 0.05
"""Share of the budget for the order of calls."""
CALLS_TOLD, OUTLINES_TOLD = ("how", "where", "breaks"), 8
"""Questions that are answered with the order of calls, and how many symbols shown by their signature it includes."""
USER_SHARE = 0.02
"""The same for a symbol included for one line: a user of what was asked about."""
BEST_CUT = 2
"""How many of the best symbols show more matching lines if they are truncated."""
BEGINNING = 8
"""How many of its first lines one of these shows if none has a word of the question."""
MEMBERS_MATCHING = 6
"""How many matching members, and lines besides them, are shown of a truncated class or file."""
CRUMBS = 3
"""Fewer lines than this of a symbol whose name is shown already say nothing new."""

# Words of the code, offered where the evidence is weak

VOCABULARY_TOKENS, VOCABULARY_SHARE = 400, 0.07
"""The most tokens, and the most of the budget: they take room from excerpts."""
VOCABULARY_NEAR = 0.6
"""Share of that for names close to the question; the rest is for words of the names that most code depends on."""
NAMES_OF_FILE = 5
"""The most names of one file: another file is more informative than a sixth name."""
NAMES_READ, WORDS_KEPT, SHORTEST_WORD = 3_000, 300, 3
"""How many of the most used names are split into words, how many words are kept, and their least number of letters."""

# A question translated into words of the code by a model

TRANSLATED_WORDS, LONGEST_TRANSLATED = 12, 40
"""The most words that a model gives for a question, and the most letters of one: after a dozen it guesses."""
TRANSLATION_TOKENS = 96
"""The most tokens that it writes: a dozen words, of which a name in code takes several."""

# The answer of a model

EVIDENCE_TOKENS = 6_000
"""The most evidence that a model gets: more is read slowly and used less."""
LEAST_EVIDENCE = 200
"""Tokens; less evidence than this answers nothing, and an error says that the context is too small."""
ATTEMPTS, SMALLER = 8, 0.9
"""How often evidence that does not fit the model's context is chosen again, each time at most this share of it."""
MARGIN = 16
"""Tokens that are left free for what the model's chat template adds."""
ANSWER_TOKENS = 700
"""The longest answer."""
ANSWER_SHARE = 0.3
"""Share of a small context that is kept for the answer."""
SAME_CLAIM = 0.9
"""Share of the words of two claims of a large model, from which they are one: it may say two things about two
functions in nearly the same words."""
REPEATED_CLAIMS = 2
"""After so many sentences in a row that say what was said before, a model has nothing more to say and is stopped."""
READING_SECONDS, LEAST_PACK = 20, 1_000
"""How long a model may read its evidence, by its speed on this machine, and the tokens that it gets however slow it
is."""

# The answer of a model too small to choose

CHOOSES_FROM = 1_000_000_000
"""Parameters from which a model chooses, orders and joins by itself. With 135 million it cannot: asked which of 14
excerpts help with a question, its order has an average precision of 0.16, and the ranking's 0.24."""
EXCERPTS_TOLD, SENTENCES = 8, 6
"""How many of the best excerpts it reads, and after how many sentences it stops: each takes a second, and the seventh
symbol seldom belongs to the answer."""
EXCERPT_TOKENS = 300
"""The most that it reads at once: it retells a screenful, and wanders off in more."""
SENTENCE_TOKENS, SENTENCE_WORDS = 48, (3, 20)
"""The longest sentence, in tokens, and the fewest and most words after its verb."""
REPETITION = 1.1
"""What the logit of a token is divided by that it wrote lately: without it, it says the same words to the end."""
VARIED = 0.6
"""Temperature of the second and third try: enough for another sentence, and little enough for English."""
UNGROUNDED_COSTS, LEAST_WORTH = 2, 2
"""How many words of the excerpt a word outweighs that is not in it: words of its own are where such a model invents.
And how many words of a sentence must stand in the excerpt and not in the signature, after that: with one it says only
what the signature does."""
WORTH_ENOUGH = 4
"""So many new words without one of its own: no other try is needed."""
ALIKE_SENTENCES = 0.7
"""Share of the words of the shorter of two sentences, from which they say the same."""
RUNS_CITED = 3
"""The most places cited for one sentence."""
