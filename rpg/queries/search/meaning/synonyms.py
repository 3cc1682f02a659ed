"""Words that programmers use for one another: a query says `ordered`, the code says `sort` or `plan`.

In: words of a query. Out: the words that code may have instead. Only general programming English: nothing that belongs
to one framework, and no abbreviations of types. Each line is a group; a word may be in several. Irregular forms that no
stemmer brings together are listed with their verb.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from rpg.text.words import text_terms

GROUPS = """
order sort sequence plan priority topological dependencies rank
find lookup search locate resolve match discover
get fetch load read retrieve obtain
choose select pick decide determine
create make build construct generate new
remove delete drop discard clear purge evict
change modify update set mutate alter
start begin launch boot init initialize open
stop end finish terminate shutdown close quit
send emit dispatch publish transmit write
receive accept consume listen read
run execute invoke call perform apply
check validate verify ensure assert
fail error exception raise throw abort
retry try attempt repeat backoff
wait sleep delay timeout throttle block
parse decode deserialize loads tokenize lexer
write serialize encode dumps render format
show display render print draw view
convert cast coerce transform translate adapt normalize
combine merge join concatenate union aggregate
split divide partition chunk slice
filter exclude skip ignore reject
duplicate unique distinct dedupe seen
limit maximum cap bound quota
save store persist commit write
cache memoize
remember store save state
connect open socket session
login authenticate sign credentials
permission authorize allow access
secure encrypt sign hash
configure settings options config preferences
register add subscribe hook attach
compare equal diff match
count number total length size
walk traverse visit iterate
copy clone duplicate
replace substitute swap override
undo rollback revert restore
notify signal event emit callback
schedule queue task job
log record trace report
default fallback initial
parent ancestor base super
child descendant sub
inherit extend derive subclass
argument parameter option input
result return output response
redirect follow location
upload multipart file
download fetch
path route url endpoint
handler callback listener function
middleware filter interceptor hook
template view render
shorten truncate trim cut wrap
longest shortest minimum maximum
broken invalid corrupt malformed
mistyped misspelled suggest typo similar
concurrent parallel thread async lock
break broken split wrap
send sent
find found
build built
write wrote written
run ran
keep kept retain
hold held
choose chose chosen
throw thrown threw raise
catch caught except
bind bound
draw drawn render
lose lost
make made
begin began begun
hide hidden
freeze frozen
wake woken
forget forgotten
spend spent
feed fed
lead led
mean meant
shrink shrunk
overwrite overwritten
color colour
gray grey
center centre
behavior behaviour
analyze analyse
normalize normalise
initialize initialise
serialize serialise
optimize optimise
organize organise
authorize authorise
customize customise
cancel canceled cancelled
license licence
catalog catalogue
"""


@cache
def groups() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in GROUPS.strip().splitlines():
        stems = frozenset(text_terms(line))
        for stem in stems:
            found[stem] = found.get(stem, frozenset()) | stems
    return found


def others(terms: Iterable[str]) -> list[str]:
    """Stems that may replace these, without these themselves."""
    originals = list(terms)
    known = groups()
    return sorted({other for term in originals for other in known.get(term, ())} - set(originals))
