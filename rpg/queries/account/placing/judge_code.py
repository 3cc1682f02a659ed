"""What a place is in code, where no edge says it.

In: the symbol that is sought, and what surrounds a place. Out: one of CLASSES, and why it may mean the symbol; empty if
it cannot. A local variable, a keyword and a member of a library's or another language's type cannot.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rpg.encoder.languages import BY_NAME
from rpg.encoder.languages.given_names import VALUES, words_of
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS
from rpg.queries.account.literals import is_plain
from rpg.queries.account.places import (
    ADDED,
    ADDED_TO,
    CALL_OF_LIBRARY,
    CERTAIN,
    DEFINITION,
    GENERATED,
    IMPORTED,
    IN_EXAMPLE,
    IN_IMPORT,
    IN_PAGE,
    LIBRARY,
    LITERAL,
    MISSED_IMPORT,
    NAMED_IN_STRING,
    NO_OWNER,
    NOT_EXPLAINED,
    NOT_RECORDED,
    OF_ENVIRONMENT,
    OF_RECEIVER,
    OTHER,
    OUTLINED,
    PROSE,
    RUN_BY_NAME,
    TOLD,
    UNRESOLVED,
    Left,
)
from rpg.queries.account.placing.judge_literal import (
    is_field_of_form,
    is_in_words,
    is_told,
    judge_literal,
    kind_of_export,
)
from rpg.queries.account.placing.judge_text import (
    is_in_script,
    is_run,
    judge_script,
    judge_style,
    judge_tag,
    judge_text,
)
from rpg.queries.account.placing.pages import is_shown
from rpg.queries.account.placing.receivers import may_be_of_value
from rpg.queries.account.placing.surroundings import MODULE
from rpg.queries.graph.unread import may_be_use
from rpg.queries.usages.usage_sites import means

if TYPE_CHECKING:
    from rpg.queries.account.places import Placed
    from rpg.queries.account.placing.sought import Sought
    from rpg.queries.account.placing.surroundings import Surroundings

_BETWEEN: Final = re.compile(r"[.\\/]+|::")
_DEFINES: Final = re.compile(
    rb"\b(?:def|func|fun|fn|function|sub|class|interface|struct|enum|trait|type|new|macro)\s+\*?$"
)
_CLAUSE: Final = re.compile(rb"\bdef(?:p|macrop?|guardp?)?[ \t]+\Z")
_DECLARED: Final = re.compile(
    rb"(?<![\w.])(?!(?:return|else|case|throw|new|await|yield|do|delete|goto|not|and|or|in|is|as|co_return|assert)\b)"
    rb"[A-Za-z_][\w:<>,.]*[>\]]?(?:\s*[*&]+\s*|\s+)$"
)
"""A type in front of a name."""
_EXTERN: Final = re.compile(rb"\bextern\b[^;{}()=]*\Z")
"""What declares a variable that is defined elsewhere, up to its name."""
LONGEST_DECLARATION: Final = 400
_SPECIFIES: Final = re.compile(rb"(?:^|\n)[ \t]*[@-](?:spec|callback|macrocallback)[ \t]+\Z")
"""What says the types of a function, before its name, as in Elixir and Erlang."""
_OF_ATOM: Final = re.compile(rb"(?<![\w:\"]):[a-z_][\w@]*\.\Z")
"""A module of Erlang before a function, where modules are named by atoms."""
_NO_SCOPE: Final = re.compile(rb"(?:^|[^:\w]):\Z")
_TYPE: Final = re.compile(rb"[A-Z]\w*[a-z]\w*")
_RENAMED: Final = re.compile(rb"(?:\bas|=>)\s+\Z")
_OWN_MODULE: Final = re.compile(rb"\b(?:super|self|crate)::[\w:{}\s,*]*\Z")
_QUOTED_BEFORE: Final = re.compile(rb"[\"'`]")
_OWNER: Final = re.compile(rb"([\w)\]]+)\.\s*\Z")
_OF_MODULE: Final = re.compile(rb"\b([a-z_]\w*)::\Z")
_INTO: Final = re.compile(rb"\s*(?:\.|::)\s*[\w{*]")
_MEMBER: Final = re.compile(rb"(?:->|::|(?<![\d.])\.)[ \t]*$")
_ASSIGNED: Final = re.compile(rb"[ \t]*=(?![=>])")
_NAMES_MODULE: Final = re.compile(rb"\s*(?:package|namespace|import|from|using|use|module|mod|defmodule|extern)\b")
_KEYWORD: Final = re.compile(rb"\s*=(?![=>~])")
_OF_SETTINGS: Final = re.compile(rb"(?i:settings|config|conf)\w*(?:\.|,\s*[\"'])\Z")
_OF_ENVIRONMENT: Final = re.compile(rb"\benv\s*\??\.\s*\Z")
_WITHIN_NAME: Final = re.compile(rb"[\w-]")
_BOUND_ATTRIBUTE: Final = (re.compile(rb"\s[(\[]{1,2}\Z"), re.compile(rb"[)\]]{1,2}="))


def judge(sought: Sought, around: Surroundings, offset: int, placed: Placed) -> tuple[str, str]:
    """The class of a place that no edge explains; and why it may mean the symbol, empty if it cannot."""
    file, text, word = around.file, around.text, sought.word
    language = BY_NAME.get(file.language)
    if sought.is_of_page:
        return judge_style(sought, around, offset)
    if sought.is_target and is_run(sought, around, offset):
        return UNRESOLVED, RUN_BY_NAME
    if sought.is_target and means(sought.node, file.language) and _is_torn_off(around, offset):
        return UNRESOLVED, NOT_RECORDED
    if sought.identifier and _is_named_with_class(sought, around, offset):
        return LITERAL, IN_PAGE
    if b"-" in word:
        return judge_tag(sought, around, offset)
    if language is None or language.is_text or language.configures:
        return judge_text(sought, around, offset)
    if is_in_script(sought, around, offset):
        return judge_script(sought, around, offset)
    recorded = around.recorded
    if recorded is None:
        return judge_text(sought, around, offset)
    if recorded.is_in_comment(offset):
        return (LITERAL, IN_EXAMPLE) if _is_in_example(sought, around, offset) else (PROSE, "")
    if "symbols" in language.rules.reached_by and _is_symbol(sought, around, offset):
        return LITERAL, NAMED_IN_STRING
    if is_field_of_form(sought, text, offset) or (
        "symbols" in language.rules.reached_by and is_in_words(sought, around, offset)
    ):
        return LITERAL, NAMED_IN_STRING
    if sought.is_of_environment and _OF_ENVIRONMENT.search(text, max(0, offset - 20), offset):
        return UNRESOLVED, OF_ENVIRONMENT
    if language.is_markup and is_shown(sought, around, offset):
        return LITERAL, IN_PAGE
    if _is_bound_attribute(sought, around, offset):
        return LITERAL, NAMED_IN_STRING
    if _KEYWORD.match(text, offset + len(word)) and is_told(sought, around, offset):
        return UNRESOLVED, TOLD
    # Without a quote before it on its line, what the facts have there is no string.
    start = text.rfind(b"\n", 0, offset) + 1
    is_recorded = recorded.is_reference(offset)
    literal = None
    if not is_recorded or _QUOTED_BEFORE.search(text, start, offset):
        literal = around.literals.around(offset)
    is_dotted = literal is not None and around.is_dotted(literal)
    module, called = recorded.import_of(offset)
    if module < 0 and not is_dotted:
        before = recorded.imports_before(offset)
        if before >= 0 and offset <= around.end_of_path(before) and (not is_recorded or before >= start):
            module = before
    if is_recorded and literal is None and module < 0:
        kind = kind_of_export(sought, around, (offset, offset + len(word)))
        if kind:
            return kind, ""
    if is_recorded and not is_dotted and module < 0:
        # What code in a page means may be known to whoever renders it alone.
        if language.is_template:
            return judge_text(sought, around, offset)
        return _judge_reference(sought, around, offset)
    if module >= 0:
        return _judge_import(sought, around, offset, module, called, placed)
    if recorded.is_definition(offset):
        return (DEFINITION if file.path == sought.node.path else OTHER), ""
    is_page = language.has_regions or language.is_template
    if literal is not None and not (is_page and around.is_torn(literal, offset)):
        if literal[0] not in around.judged:
            around.judged[literal[0]] = judge_literal(sought, around, literal, offset, is_page, placed)
        return around.judged[literal[0]]
    if is_page or language.is_markup:
        return judge_text(sought, around, offset)
    return _judge_unrecorded(sought, around, offset)


def _is_named_with_class(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether a string or an attribute names it behind its class: `data-action="input->composer#send"`."""
    known = BY_NAME.get(around.file.language)
    if known is not None and known.is_prose:
        return False
    begin = offset - len(sought.identifier) - 1
    return (
        begin > 0
        and around.text[begin:offset] == sought.identifier + b"#"
        and (_WITHIN_NAME.match(around.text, begin - 1) is None)
    )


def _judge_reference(sought: Sought, around: Surroundings, offset: int) -> tuple[str, str]:
    """Where the facts have a use, and resolution found nothing of the name, or a library."""
    language = around.file.language
    if sought.given or sought.is_contract:
        return _judge_member(sought, around, offset)
    if (sought.is_in_library or sought.is_of_object) and _is_called_on_value(sought, around, offset):
        return UNRESOLVED, CALL_OF_LIBRARY if sought.is_in_library else NO_OWNER
    if _is_of_settings(sought, around, offset) or _is_of_page(sought, around, offset):
        return UNRESOLVED, NO_OWNER
    if sought.adds_to_types and means(sought.node, language) and _is_member(around.text, offset):
        return UNRESOLVED, ADDED
    if _may_be_of_receiver(sought, around, offset):
        return UNRESOLVED, OF_RECEIVER
    if sought.adds_to_another and means(sought.node, language):
        return UNRESOLVED, ADDED_TO
    if _may_be_missed(sought, around):
        return UNRESOLVED, MISSED_IMPORT
    if _is_member(around.text, offset) and means(sought.node, language) and sought.is_torn_out(around.file.path):
        return UNRESOLVED, NO_OWNER
    if _may_be_derived(sought, around, offset):
        return UNRESOLVED, GENERATED
    if may_be_of_value(sought, around, offset):
        return UNRESOLVED, NO_OWNER
    if _is_named_unread(sought, around, offset):
        return UNRESOLVED, OUTLINED
    return (UNRESOLVED, NOT_EXPLAINED) if _is_unexplained(sought, around, offset) else (LIBRARY, "")


def _judge_import(
    sought: Sought, around: Surroundings, offset: int, module: int, called: str, placed: Placed
) -> tuple[str, str]:
    """In the path of an import, which begins at `module`, or in the list behind it; `called`: what it brings
    there."""
    file, text = around.file, around.text
    if _RENAMED.search(text, max(0, offset - 20), offset):
        return LIBRARY, ""  # what the file calls it: a local name
    line, column = around.lines.place(module)
    brings = sought.importers.brings(file.path, f"{line}:{column}", called or sought.node.name)
    before = text[max(text.rfind(b"\n", 0, module) + 1, offset - 200) : offset]
    if brings and not _is_type_named(sought, before):
        brings = False
    is_in_own_file = file.path == sought.node.path
    if brings is None and is_in_own_file and _OWN_MODULE.search(text, max(0, module - 200), min(offset, module + 80)):
        brings = True  # such as a nested module's import of what is around it
    if brings is None and _is_in_own_type(sought, file.language, before):
        if not is_in_own_file:
            return UNRESOLVED, MISSED_IMPORT
        brings = True
    if brings is None:
        if sought.is_generated_type(file.language) or _may_be_derived(sought, around, offset):
            return UNRESOLVED, GENERATED
        if _is_path_of_import(sought, around, offset):
            return UNRESOLVED, IN_IMPORT
        return (UNRESOLVED, MISSED_IMPORT) if _may_be_missed(sought, around) else (LIBRARY, "")
    if brings:
        placed.imports.append(Left(CERTAIN, file.path, *around.lines.place(offset), file.test, IMPORTED))
    return CERTAIN if brings else OTHER, ""


def _judge_unrecorded(sought: Sought, around: Surroundings, offset: int) -> tuple[str, str]:
    """Where the facts have nothing: another clause, a macro, a torn part of the file, a local variable."""
    file, text, word = around.file, around.text, sought.word
    language = BY_NAME[file.language]
    is_in_own_file, may_be_in = file.path == sought.node.path, sought.may_be_in(file.language)
    before = text[max(0, offset - 80) : offset]
    if language.is_outlined and means(sought.node, file.language):
        is_own = is_in_own_file and (
            sought.is_own_clause(*around.lines.place(offset)) or _SPECIFIES.search(before) is not None
        )
        return (DEFINITION, "") if is_own else (UNRESOLVED, OUTLINED)
    if _is_named_unread(sought, around, offset):
        return UNRESOLVED, OUTLINED
    if sought.given and word.endswith(b"?") and may_be_in:
        return UNRESOLVED, NO_OWNER
    if before.endswith(b"$") or language.rules.speaks_to_library(file.path):
        return LIBRARY, ""  # the end of a longer name; a call that no lowering reads
    if language.rules.holders_are_named and means(sought.node, file.language) and _OF_ATOM.search(before):
        return LIBRARY, ""
    behind = text[offset + len(word) : offset + len(word) + 20]
    if language.rules.types_precede_names and behind[:1] == b"(" and _DECLARED.search(before):
        return (OTHER if sought.explained.others else DEFINITION), ""
    if language.rules.types_precede_names and _EXTERN.search(text, max(0, offset - LONGEST_DECLARATION), offset):
        return (OTHER if sought.explained.others else DEFINITION), ""
    if _SPECIFIES.search(before) and may_be_in:
        return (DEFINITION if is_in_own_file else OTHER), ""
    is_defined = _DEFINES.search(before) is not None
    if is_defined and is_in_own_file and sought.is_own(around.lines.place(offset)[0]):
        return DEFINITION, ""  # another clause
    if may_be_in and _CLAUSE.search(before) is not None and sought.explained.others:
        return OTHER, ""  # a further clause of another definition
    is_in_comment = around.marks.is_in_comment(offset)
    looks_used = (_MEMBER.search(before) and not _ASSIGNED.match(behind)) or (
        behind.startswith((b"(", b"::")) and not is_defined
    )
    if looks_used and may_be_in and not is_in_comment:
        start = text.rfind(b"\n", 0, offset) + 1
        return (LIBRARY, "") if _NAMES_MODULE.match(text, start) else (UNRESOLVED, NOT_RECORDED)
    if is_in_comment:
        return PROSE, ""
    if "commands" in language.rules.reached_by and not is_plain(word) and sought.node.kind in FUNCTION_KINDS:
        return UNRESOLVED, NOT_RECORDED
    return (UNRESOLVED, NOT_RECORDED) if _looks_lost(sought, around, offset) else (LIBRARY, "")


def _is_named_unread(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether it stands in code of another language, of which no use is read, and may be the symbol there."""
    if not sought.is_named_unread(around.file.path, around.file.language) or around.marks.is_in_comment(offset):
        return False
    return may_be_use(around.text, offset, sought.word)


def _is_unexplained(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether a bare name of more than one word stands there that nothing in its file binds."""
    if not _is_distinctive(sought, around) or around.recorded is None:
        return False
    if sought.node.name in BY_NAME[around.file.language].rules.builtins:
        return False
    return not _is_member(around.text, offset) and around.recorded.is_unbound(offset)


def _looks_lost(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether a name of more than one word stands there that no local variable has, in code that was not parsed."""
    if not _is_distinctive(sought, around) or not sought.word[:1].isupper():
        return False
    rules = BY_NAME[around.file.language].rules
    is_declared = rules.types_precede_names and _DECLARED.search(around.text, max(0, offset - 80), offset)
    return not is_declared


def _is_distinctive(sought: Sought, around: Surroundings) -> bool:
    """Whether a name of more than one word, in the language of a file, is the symbol's own."""
    is_own = not sought.given and means(sought.node, around.file.language)
    return is_own and len(words_of(sought.node.name)) > 1


def _is_torn_off(around: Surroundings, offset: int) -> bool:
    """Whether it is in a part of a file that may not have been understood, and in no comment."""
    torn_from = around.recorded.torn_from if around.recorded is not None else 0
    if not torn_from or around.marks.is_in_comment(offset):
        return False
    return around.lines.place(offset)[0] >= torn_from


def _is_in_example(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether it is used by code in a comment that is run."""
    if sought.given or not means(sought.node, around.file.language) or not around.is_in_example(offset):
        return False
    text, end = around.text, offset + len(sought.word)
    is_used = text[end : end + 1] in (b"(", b"!", b"{") or text[end : end + 2] == b"::"
    return is_used or _is_member(text, offset) or not is_plain(sought.word)


def _is_path_of_import(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether an import names something in it, or all that is in it: `import Prices._`, `use inner::total`."""
    if sought.given or sought.node.kind not in CLASS_KINDS or not means(sought.node, around.file.language):
        return False
    end = offset + len(sought.word)
    return _INTO.match(around.text, end) is not None


def _is_in_own_type(sought: Sought, language: str, path: bytes) -> bool:
    """Whether the end of an import's path, up to the name, is the types around the symbol."""
    around = sought.node.qualified_name.encode().split(b".")[:-1]
    parts = [each for each in re.split(rb"[\W]+", path) if each and each != b"Companion"]
    return bool(around) and parts[-len(around) :] == around and means(sought.node, language)


def _is_type_named(sought: Sought, path: bytes) -> bool:
    """Whether the type around the symbol, if there is one, stands in front of its name in an import."""
    *_, around = ("", *sought.node.qualified_name.split(".")[:-1])
    return not around or around.encode() in re.split(rb"\W+", path)


def _is_symbol(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether it is a symbol, or for a field the key of a value, by which a framework may reach it."""
    if is_plain(sought.word) or not means(sought.node, around.file.language):
        return False
    text, end = around.text, offset + len(sought.word)
    if text[offset - 1 : offset] == b":":
        return _NO_SCOPE.search(text, max(0, offset - 2), offset) is not None
    is_key = text[end : end + 1] == b":" and text[end + 1 : end + 2] != b":"
    return is_key and sought.node.kind in VALUES and not sought.given


def _judge_member(sought: Sought, around: Surroundings, offset: int) -> tuple[str, str]:
    """A member in code that no edge explains, of a name that data or generated code has."""
    if sought.is_generated_type(around.file.language):
        return UNRESOLVED, GENERATED
    is_foreign = sought.is_contract and not sought.given and not is_plain(sought.word)
    if not (is_foreign or sought.may_be_in(around.file.language)):
        return LIBRARY, ""
    # A name with such a sign is no variable's.
    if not sought.word.endswith(b"?") and not _is_member(around.text, offset):
        return LIBRARY, ""
    return UNRESOLVED, NO_OWNER


def _is_called_on_value(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether it is called, or read if it is a property, as a member of something else than an imported module."""
    behind = around.text[offset + len(sought.word) : offset + len(sought.word) + 3]
    if not means(sought.node, around.file.language):
        return False
    if sought.node.kind != "property" and not behind.startswith((b"(", b"?.(")):
        return False
    if f"{sought.node.name}()" in sought.node.signature and behind[:2] != b"()" and sought.is_in_library:
        return False
    owner = _OWNER.search(around.text, max(0, offset - 80), offset)
    if owner is None or owner[1] in around.modules:
        return False
    # A type is the owner of what it has itself.
    return BY_NAME[around.file.language].rules.method_sets.make_implementers or _TYPE.fullmatch(owner[1]) is None


def _may_be_of_receiver(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether a bare name that nothing in its file binds may be a member of an object that a function brings."""
    rules = BY_NAME[around.file.language].rules
    if not (rules.closures.have_receivers and sought.is_member and means(sought.node, around.file.language)):
        return False
    if sought.node.name in rules.builtins or around.recorded is None:
        return False
    is_bare = not _is_member(around.text, offset)
    return is_bare and around.recorded.is_unbound(offset) and around.recorded.is_in_lambda(offset)


def _may_be_derived(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether it is taken of the module in which a macro may make something of its name: `error::NotFound` of a
    variant."""
    rules = BY_NAME[around.file.language].rules
    if "derives" not in rules.reached_by or not means(sought.node, around.file.language):
        return False
    if not sought.word[:1].isupper() or "." not in sought.node.qualified_name:
        return False
    module = _OF_MODULE.search(around.text, max(0, offset - 80), offset)
    return module is not None and module[1] in sought.around


def _is_of_settings(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether a constant of a module is read of an object that a framework makes of settings."""
    if sought.node.kind != "constant" or sought.is_member or not sought.is_setting:
        return False
    is_read = _OF_SETTINGS.search(around.text, max(0, offset - 80), offset) is not None
    return is_read and means(sought.node, around.file.language)


def _is_of_page(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether it is read of the object of a page, `window.refresh`, and may be one that a script defines there."""
    pattern = BY_NAME[around.file.language].rules.members_read.of_page
    if pattern is None or sought.is_member or not means(sought.node, around.file.language):
        return False
    return pattern.search(around.text, max(0, offset - 40), offset) is not None


def _is_bound_attribute(sought: Sought, around: Surroundings, offset: int) -> bool:
    """Whether a page in a literal binds a component's member: `[size]="x"`, `(picked)="y"`."""
    before, behind = _BOUND_ATTRIBUTE
    text, end = around.text, offset + len(sought.word)
    if behind.match(text, end) is None or before.search(text, max(0, offset - 3), offset) is None:
        return False
    return sought.is_member and means(sought.node, around.file.language)


def _may_be_missed(sought: Sought, around: Surroundings) -> bool:
    """Whether the file has an import that leads nowhere and may be one of the symbol's file."""
    if around.may_miss_import is None:
        recorded, text = around.recorded, around.text
        around.may_miss_import = False
        for byte in recorded.imports if recorded is not None and means(sought.node, around.file.language) else ():
            module = MODULE.match(text, byte)
            if module is None:
                continue
            line, column = around.lines.place(byte)
            written = _BETWEEN.sub("/", module[1].decode("utf-8", "replace")).strip("/")
            if sought.importers.may_be_missed(around.file.path, f"{line}:{column}", written):
                around.may_miss_import = True
                break
    return around.may_miss_import


def _is_member(text: bytes, offset: int) -> bool:
    return _MEMBER.search(text, max(0, offset - 80), offset) is not None
