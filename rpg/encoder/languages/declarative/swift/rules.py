"""What comes with Swift: names of its library, members that most objects have, collections."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rpg.encoder.languages.declarative.rules import ExtensibleRules
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.results import FLATTENED, KEYS, MAPPED, OF_ASKED_TYPE, SAME, VALUES, Gives
from rpg.encoder.languages.rules.attribute_types import Construction, Words
from rpg.encoder.languages.standard_library import Methods, Protocols, Types
from rpg.encoder.languages.tests import Tests

_NAMES = """
 Any AnyHashable AnyObject AnyClass Array ArraySlice Bool CaseIterable Character Codable Collection Comparable
CustomDebugStringConvertible CustomStringConvertible Data Date Decodable Decoder Dictionary DispatchQueue Double
Encodable Encoder Equatable Error ExpressibleByStringLiteral Float Hashable Hasher Identifiable Int Int16 Int32 Int64
Int8 IteratorProtocol JSONDecoder LosslessStringConvertible MainActor Never NSError NSLock NSObject Optional
OptionSet PropertyListDecoder
RandomAccessCollection Range RawRepresentable Result Sendable Sequence Set String StringProtocol Substring Task UInt
UInt16 UInt32 UInt64 UInt8 URL URLRequest URLSession UUID UnsafePointer Void XCTAssert XCTAssertEqual XCTAssertFalse
XCTAssertNil XCTAssertNotNil XCTAssertThrowsError XCTAssertTrue XCTFail XCTUnwrap abs assert assertionFailure
debugPrint defer dump fatalError max min numericCast precondition preconditionFailure print readLine repeatElement
sequence stride swap type withCheckedContinuation withCheckedThrowingContinuation withTaskGroup withThrowingTaskGroup
withUnsafeBytes withUnsafePointer zip
"""
_MEMBERS = """
add append appendingPathComponent allSatisfy cancel close compactMap contains count data dataTask decode description
distance drop dropFirst dropLast encode enumerated filter first flatMap forEach get hash hasPrefix hasSuffix index
insert isEmpty joined keys last lock map max merge min next popLast prefix read reduce remove removeAll removeFirst
removeLast replaceSubrange resume reversed run send set shuffled sort sorted split start starts stop store suffix
sync trimmingCharacters unlock update uppercased lowercased value values wait write
"""
_LISTS = "Array ArraySlice Collection ContiguousArray IteratorProtocol Sequence Set list"
_EACH = "allSatisfy compactMap contains filter first flatMap forEach map sorted"
_VALUES = frozenset("Bool Character Double Float Int Int16 Int32 Int64 Int8 String UInt UInt16 UInt32 UInt64".split())

_WHOLE = "AdditiveArithmetic BinaryInteger Comparable Equatable FixedWidthInteger Hashable Numeric Strideable".split()
_BROKEN = "AdditiveArithmetic BinaryFloatingPoint Comparable Equatable FloatingPoint Hashable Numeric".split()
_TEXT = "BidirectionalCollection Collection Comparable Equatable Hashable Sequence StringProtocol".split()
_EXTENDED_AS = {
    **{each: tuple(_WHOLE) for each in _VALUES if "Int" in each},
    **dict.fromkeys(("Double", "Float"), tuple(_BROKEN)),
    **dict.fromkeys(("String", "Substring"), tuple(_TEXT)),
}


def module_of(path: str) -> str:
    """The module of a file: the folder below `Sources` or `Tests`; empty outside them."""
    folders = path.split("/")[:-1]
    for at, folder in enumerate(folders[:-1]):
        if folder in ("Sources", "Tests", "Plugins"):
            return folders[at + 1]
    return ""


_PASSIVE = """
Sendable available concurrent discardableResult escaping frozen inlinable inline nonobjc preconcurrency resultBuilder
transparent unknown usableFromInline warn_unqualified_access
"""
_UNNAMED = """
buildArray buildBlock buildEither buildExpression buildFinalResult buildLimitedAvailability buildOptional
buildPartialBlock callAsFunction deinit dynamicMember makeIterator next projectedValue subscript wrappedValue
"""


class Rules(ExtensibleRules):
    labels = "of fields"
    construction = Construction(kinds=frozenset({"struct"}))
    overrides_fit = "exactly"
    plain_types = frozenset("Int Float Double Bool String Void Character".split())
    closing_members = Words(frozenset({"final"}))
    effects_of_overrides = Words(frozenset({"async", "throws", "mutating"}))
    demands_members = "of classes"
    branching = re.compile(r"\bswitch\b[^{};]*\Z")
    branch_sign = ":"
    branch_word = "case"
    tells_properties_from_methods = True
    closing = Words(frozenset({"final"}))
    hiding = Words(frozenset({"private", "fileprivate"}))
    objects_reach_statics = False
    classes_reach_members = False
    calls_await = True
    call_marks: Mapping[str, str] = {"throws": "try", "async": "await"}
    may_be_nothing = re.compile(r"\?\Z")
    fixed = Words(frozenset({"let"}))
    setters_in_text = (
        (re.compile(r"\A[^\n]*\b(?:private|fileprivate)\(set\)"), "in its class"),
        (re.compile(r"\A[^\n]*\n\{.*\b(?:set|willSet|didSet)\b", re.DOTALL), "everywhere"),
        (re.compile(r"\A[^\n]*\n\{"), "nowhere"),
    )
    refuses_more_arguments = True
    literals_fit = fitting("""
        String Character: string
        Bool: bool
        Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64: int
        Double Float: int float
    """)
    refuses_fewer_arguments = True
    names_other_constructor = r"\b(?:super|self)\s*\.\s*init\s*\("
    tests = Tests(
        names=("Tests", "Test", "TestCase"),
        functions="test",
        marks=frozenset({"Test"}),
        preparations=frozenset(("setUp", "setUpWithError", "tearDown", "tearDownWithError")),
    )
    builtins = frozenset(_NAMES.split())
    builtin_members = frozenset(_MEMBERS.split())
    object_members = frozenset("description hash hashValue init self Type".split())
    constructor = "init"
    types = Types(
        containers=dict.fromkeys(_LISTS.split(), "list") | dict.fromkeys(("Dictionary", "dict"), "dict"),
        transparent=frozenset({"Optional"}),
        without_members=_VALUES,
        extended_as=_EXTENDED_AS,
    )
    methods = Methods(
        calls_back=dict.fromkeys(_EACH.split(), ("value",)),
        results=dict.fromkeys("dropFirst dropLast filter prefix reversed shuffled sorted suffix".split(), SAME)
        | {"map": MAPPED, "compactMap": MAPPED, "flatMap": FLATTENED, "keys": KEYS, "values": VALUES},
        element=frozenset("first last max min popLast randomElement removeFirst removeLast remove".split()),
        held=frozenset({"removeValue"}),
    )
    functions_by_last_part: Mapping[str, Gives] = dict.fromkeys(("decode", "resolve"), Gives(OF_ASKED_TYPE))
    passive_marks = frozenset(_PASSIVE.split())
    protocols = Protocols(call="callAsFunction", iterators={"makeIterator": ("next", "")}, item="subscript")
    unnamed_members = frozenset(_UNNAMED.split())
    unnamed_signs = True
    run_unnamed = unnamed_members
    has_packages = True
    inherits_types = True
    types_of_one_name = "rivals"
    overloads = "methods"
    extensions = "based"
    follows_declared_functions = True
    owners = "anywhere"
    sides = "apart"

    def packages_seen(self, package: str) -> tuple[str, ...]:
        return (package, "") if package else ("",)

    def is_promise(self, kind: str, text: str) -> bool:
        return kind == "field"

    @classmethod
    def is_embedded(cls, kind: str, name: str, header: str) -> bool:
        """What a property wrapper holds is read by the name of the property that it wraps."""
        return kind == "field" and name in ("projectedValue", "wrappedValue")
