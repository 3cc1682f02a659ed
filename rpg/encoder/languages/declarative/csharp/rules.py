"""What comes with C#: names that need no using, members that most objects have, collections."""

from __future__ import annotations

from rpg.encoder.languages.declarative.rules import ExtensibleRules
from rpg.encoder.languages.results import FLATTENED, KEYS, MAPPED, SAME, VALUES
from rpg.encoder.languages.rules import Methods, Tests, Types

_NAMES = """
Action ArgumentException ArgumentNullException Array Attribute Boolean Console Convert DateTime Delegate Dictionary Enum
EventArgs EventHandler Exception Func GC Guid IDisposable IEnumerable IEnumerator IList InvalidOperationException List
Lazy Math NotImplementedException NotSupportedException Nullable Object Predicate String StringBuilder Task TimeSpan
Tuple Type Uri Version nameof typeof
"""
_MEMBERS = """
Add AddRange Any All Append AsSpan Clear Clone Close CompareTo Concat Contains ContainsKey Copy CopyTo Count Create
Dispose Equals Execute First FirstOrDefault Format Get GetEnumerator GetHashCode GetType GetValue HasValue IndexOf
Insert Invoke IsNullOrEmpty Join Key Length Load Max Min Name Parse Peek Pop Push Read Remove Replace Reset Run Save
Select Set SetValue Single Skip Split Start Stop Substring Sum Take ToArray ToList ToLower ToString ToUpper Trim
TryGetValue TryParse Type Update Value Values Wait Where Write WriteLine
"""
_VALUES = frozenset("bool byte char decimal double float int long object sbyte short string uint ulong void".split())
_LISTS = """ConcurrentBag HashSet ICollection IEnumerable IList IReadOnlyCollection IReadOnlyList ISet List Queue Span
Stack list"""
_EACH = """
All Any Average Count First FirstOrDefault ForEach GroupBy Last LastOrDefault Max MaxBy Min MinBy OrderBy
OrderByDescending Select SelectMany Single SingleOrDefault SkipWhile Sum TakeWhile ThenBy ToDictionary Where
"""
_SAME = """
AsEnumerable AsQueryable AsReadOnly Concat Distinct Except Intersect OrderBy OrderByDescending Reverse Skip SkipWhile
Take TakeWhile ThenBy ToArray ToHashSet ToList Union Where
"""
_PASSIVE = """
AttributeUsage CLSCompliant Conditional DebuggerDisplay DebuggerHidden DebuggerNonUserCode DebuggerStepThrough
DoesNotReturn DynamicallyAccessedMembers EditorBrowsable ExcludeFromCodeCoverage Flags GeneratedCode MethodImpl
NotNull NotNullWhen Obsolete Pure RequiresDynamicCode RequiresUnreferencedCode SecurityCritical SuppressMessage
UnconditionalSuppressMessage
"""


class Rules(ExtensibleRules):
    tests = Tests(
        names=("Tests", "Test", "Specs"),
        folder_endings=(".Tests", ".Test", ".Specs", ".UnitTests"),
        marks=frozenset("Test Fact Theory TestMethod TestCase".split()),
    )
    builtins = frozenset(_NAMES.split())
    builtin_members = frozenset(_MEMBERS.split())
    object_members = frozenset("Equals GetHashCode GetType ToString MemberwiseClone ReferenceEquals".split())
    types = Types(
        containers=dict.fromkeys(_LISTS.split(), "list")
        | dict.fromkeys(("Dictionary", "IDictionary", "ConcurrentDictionary", "IReadOnlyDictionary"), "dict"),
        transparent=frozenset({"Nullable", "Task", "ValueTask", "Lazy"}),
        without_members=_VALUES,
    )
    methods = Methods(
        calls_back=dict.fromkeys(_EACH.split(), ("value",)),
        results=dict.fromkeys(_SAME.split(), SAME)
        | {"Select": MAPPED, "SelectMany": FLATTENED, "Values": VALUES, "Keys": KEYS},
        element=frozenset("Dequeue First FirstOrDefault Last LastOrDefault Peek Pop Single SingleOrDefault".split()),
    )
    constructors_are_named_like_classes = True
    passive_marks = frozenset(_PASSIVE.split())
    called_members = frozenset({"Main"})
    unnamed_prefixes = ("operator", "~", "this[")
    has_packages = True
    has_partial_types = True
    has_overloads = True
    needs_all_arguments = True

    def packages_seen(self, package: str) -> tuple[str, ...]:
        parts = package.split(".")
        return (*(".".join(parts[:end]) for end in range(len(parts), 0, -1)), "")
