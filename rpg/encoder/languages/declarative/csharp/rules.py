"""What comes with C#: names that need no using, members that most objects have, collections."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rpg.encoder.languages.declarative.csharp.projects import FILES_OF_USINGS, namespaces_of_projects, upwards
from rpg.encoder.languages.declarative.rules import ExtensibleRules
from rpg.encoder.languages.given_names import PAGES, Given, kebab, remove_ending
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.project import Project
from rpg.encoder.languages.results import (
    ACCUMULATING,
    AS_WRITTEN,
    CALLED_TO_AWAIT,
    FIRST_TO_AWAIT,
    FLATTENED,
    GROUPED,
    INDEXED,
    KEYS,
    MAPPED,
    NOT_TOLD,
    OF_ASKED_TYPE,
    SAME,
    SEQUENCE,
    VALUES,
    WITHOUT_RESULT,
    CallsArgument,
    Gives,
    Signature,
)
from rpg.encoder.languages.rules.attribute_types import Words
from rpg.encoder.languages.standard_library import Methods, Types
from rpg.encoder.languages.tests import Tests

_NAMES = """
Action ArgumentException ArgumentNullException Array Attribute Boolean Console Convert DateTime Delegate Dictionary Enum
EventArgs EventHandler Exception Func GC Guid IDisposable IEnumerable IEnumerator IList InvalidOperationException List
Lazy Math NotImplementedException NotSupportedException Nullable Object Predicate String StringBuilder Task TimeSpan
Tuple Type Uri Version nameof typeof
"""
_MEMBERS = """
Add AddRange Any All Append AsSpan Clear Clone Close CompareTo Concat Contains ContainsKey Copy CopyTo Count Create
Dispose EndsWith Equals Execute First FirstOrDefault Format Get GetEnumerator GetHashCode GetType GetValue HasValue
IndexOf Insert Invoke IsNullOrEmpty Join Key Length Load Max Min Name Parse PadLeft PadRight Peek Pop Push Read Remove
Replace Reset Run Save Select Set SetValue Single Skip Split Start StartsWith Stop Substring Sum Take ToArray ToList
ToLower ToString ToUpper Trim TrimEnd TrimStart TryGetValue TryParse Type Update Value Values Wait Where Write
WriteLine
"""
_WIDER = {
    "bool": "",
    "byte": "short ushort int uint long ulong float double decimal",
    "char": "ushort int uint long ulong float double decimal",
    "decimal": "",
    "double": "",
    "float": "double",
    "int": "long float double decimal",
    "long": "float double decimal",
    "sbyte": "short int long float double decimal",
    "short": "int long float double decimal",
    "uint": "long ulong float double decimal",
    "ulong": "float double decimal",
    "ushort": "int uint long ulong float double decimal",
}
"""Types of values -> those that they are converted to."""
_NULLABLE = frozenset(f"{name}?" for name in _WIDER)
_SUPERTYPES = {name: (*wider.split(), f"{name}?", "object") for name, wider in _WIDER.items()} | {"string": ("object",)}
_VALUES = _NULLABLE | frozenset(
    "bool byte char decimal double float int long object sbyte short string uint ulong void".split()
)
_LISTS = """
BlockingCollection Collection ConcurrentBag ConcurrentQueue ConcurrentStack HashSet IAsyncEnumerable ICollection
IEnumerable IEnumerator IList IOrderedEnumerable IOrderedQueryable IQueryable IReadOnlyCollection IReadOnlyList
IReadOnlySet ISet ImmutableArray ImmutableHashSet ImmutableList LinkedList List Memory ObservableCollection Queue
ReadOnlyCollection ReadOnlyMemory ReadOnlySpan SortedSet Span Stack list
"""
_MAPS = """
ConcurrentDictionary Dictionary FrozenDictionary IDictionary IImmutableDictionary IReadOnlyDictionary
ImmutableDictionary ReadOnlyDictionary SortedDictionary SortedList
"""
_EACH = """
Aggregate All Any Average ConvertAll Count CountBy DistinctBy Exists Find FindAll FindIndex FindLast First
FirstOrDefault ForEach GroupBy Last LastOrDefault LongCount Max MaxBy Min MinBy OrderBy OrderByDescending RemoveAll
RemoveWhere Select SelectMany Single SingleOrDefault SkipWhile Sum TakeWhile ThenBy ThenByDescending ToDictionary
ToImmutableDictionary ToLookup TrueForAll Where
"""
_LATER = "GroupBy ToDictionary ToImmutableDictionary ToLookup"
_SEQUENCE = """
Append AsEnumerable AsQueryable AsReadOnly AsSpan Concat DefaultIfEmpty Distinct DistinctBy Except ExceptBy FindAll
GetRange Intersect OfType Order OrderBy OrderByDescending Prepend Reverse Skip SkipLast SkipWhile Take TakeLast
TakeWhile ThenBy ThenByDescending ToArray ToHashSet ToImmutableArray ToImmutableList ToList Union UnionBy Where
"""
_ELEMENT = """
Aggregate Dequeue ElementAt ElementAtOrDefault Find FindLast First FirstOrDefault Last LastOrDefault MaxBy MinBy Peek
Pop Single SingleOrDefault
"""
_MOST_PARAMETERS = 9
_FUNCTIONS: dict[tuple[str, int], Signature] = (
    {("Func", count + 1): Signature(tuple(range(count)), count) for count in range(_MOST_PARAMETERS)}
    | {("Action", count): Signature(tuple(range(count)), WITHOUT_RESULT) for count in range(_MOST_PARAMETERS)}
    | {
        ("Predicate", 1): Signature((0,), WITHOUT_RESULT),
        ("Comparison", 1): Signature((0, 0), WITHOUT_RESULT),
        ("Converter", 2): Signature((0,), 1),
        ("EventHandler", 1): Signature((NOT_TOLD, 0), WITHOUT_RESULT),
    }
)
_PASSIVE = """
AttributeUsage CLSCompliant Conditional DebuggerDisplay DebuggerHidden DebuggerNonUserCode DebuggerStepThrough
DoesNotReturn DynamicallyAccessedMembers EditorBrowsable ExcludeFromCodeCoverage Flags GeneratedCode MethodImpl
NotNull NotNullWhen Obsolete Pure RequiresDynamicCode RequiresUnreferencedCode SecurityCritical SuppressMessage
UnconditionalSuppressMessage
"""
_ASKING = """
CreateInstance Deserialize DeserializeObject GetCustomAttribute GetInstance GetKeyedService GetRequiredKeyedService
GetRequiredService GetService Resolve ResolveKeyed ResolveNamed
"""
_ASKING_TO_AWAIT = "DeserializeAsync GetFromJsonAsync ReadFromJsonAsync"

_SETTERS = tuple(
    (re.compile(rf"\A[^\n]*\n\{{{text}", re.DOTALL), where)
    for text, where in (
        (r".*\b(?:private|protected)\s+(?:set|init)\s*(?:;|\{|=>)", "in its class"),
        (r".*\bset\s*(?:;|\{|=>)", "everywhere"),
        (r".*\binit\s*(?:;|\{|=>)", "while it is made"),
        (r"\s*get\s*;\s*\}", "in constructors"),
        ("", "nowhere"),
    )
)


class Rules(ExtensibleRules):
    given_names = frozenset({"args", "field"})
    labels = "of fields"
    spreads = "arrays"
    demands_members = "of classes"
    has_void = True
    tells_properties_from_methods = True
    closing = Words(frozenset({"sealed"}))
    hiding = Words(frozenset({"private"}))
    showing_in_build = frozenset({"internal"})
    objects_reach_statics = False
    classes_reach_members = False
    fixed = Words(frozenset({"readonly", "const"}))
    setters_in_text = _SETTERS
    refuses_more_arguments = True
    literals_fit = fitting("""
        string: string null
        bool: bool
        char: char
        int uint long ulong short ushort byte sbyte: int char
        float double decimal: int char float
    """)
    overrides_fit = "exactly"
    plain_types = frozenset("int long short byte char float double bool string decimal void".split())
    closing_members = Words(frozenset({"sealed"}), frozenset({"virtual", "abstract", "override"}))
    unsaid_visibility = "private"
    types_stand = "in front"
    has_characters = True
    refuses_fewer_arguments = True
    types_precede_names = True
    tests = Tests(
        names=("Tests", "Test", "Specs"),
        folder_endings=(".Tests", ".Test", ".Specs", ".UnitTests"),
        marks=frozenset("Test Fact Theory TestMethod TestCase".split()),
        runners=("dotnet",),
        preparation_marks=frozenset(
            """SetUp TearDown OneTimeSetUp OneTimeTearDown TestInitialize TestCleanup ClassInitialize
            ClassCleanup""".split()
        ),
    )
    builtins = frozenset(_NAMES.split())
    builtin_members = frozenset(_MEMBERS.split())
    object_members = frozenset("Equals GetHashCode GetType ToString MemberwiseClone ReferenceEquals".split())
    types = Types(
        containers=dict.fromkeys(_LISTS.split(), "list")
        | dict.fromkeys(_MAPS.split(), "map")
        | dict.fromkeys(("KeyValuePair", "Tuple", "ValueTuple"), "tuple")
        | dict.fromkeys(("Task", "ValueTask"), "coroutine")
        | dict.fromkeys(("IOptions", "IOptionsMonitor", "IOptionsSnapshot", "Lazy"), "box"),
        transparent=frozenset({"Nullable"}),
        signatures=_FUNCTIONS,
        supertypes=_SUPERTYPES,
        of_everything=frozenset({"object"}),
        no_result="void",
        without_members=_VALUES,
    )
    methods = Methods(
        calls_back=dict.fromkeys(_EACH.split(), ("value",)) | dict.fromkeys(("Aggregate", "Sort"), ("value", "value")),
        calls_back_later=dict.fromkeys(_LATER.split(), ("value",)) | {"Zip": ("value",), "GetOrAdd": ("key",)},
        calls_back_of_maps=dict.fromkeys(_EACH.split(), ("pair",)),
        results=dict.fromkeys(_SEQUENCE.split(), SEQUENCE)
        | dict.fromkeys(("AsTask", "ConfigureAwait", "GetAwaiter", "WaitAsync", "WithCancellation"), SAME)
        | {
            "Select": MAPPED,
            "ConvertAll": MAPPED,
            "SelectMany": FLATTENED,
            "Values": VALUES,
            "Keys": KEYS,
            "Cast": AS_WRITTEN,
            "OfType": AS_WRITTEN,
            "GroupBy": GROUPED,
            "ToDictionary": INDEXED,
            "ToImmutableDictionary": INDEXED,
        },
        element=frozenset(_ELEMENT.split()),
        held=frozenset(
            {"GetOrAdd", "AddOrUpdate", "CurrentValue", "GetResult", "GetValueOrDefault", "Result", "Value"}
        ),
        fills=frozenset({"Remove", "TryDequeue", "TryGetValue", "TryPeek", "TryPop", "TryRemove", "TryTake"}),
        read=frozenset({"CurrentValue", "Keys", "Result", "Value", "Values"}),
        part_members={"Key": 0, "Value": 1} | {f"Item{at + 1}": at for at in range(7)},
        run=frozenset({"Invoke"}),
    )
    functions: Mapping[str, Gives] = {
        "Task.FromResult": Gives(FIRST_TO_AWAIT),
        "Task.Run": Gives(CALLED_TO_AWAIT),
    }
    functions_by_last_part: Mapping[str, Gives] = (
        dict.fromkeys(_ASKING.split(), Gives(OF_ASKED_TYPE))
        | {"GetServices": Gives(OF_ASKED_TYPE, "list")}
        | dict.fromkeys(_ASKING_TO_AWAIT.split(), Gives(OF_ASKED_TYPE, "coroutine"))
    )
    calls_argument: Mapping[str, CallsArgument] = {
        f"Array.{name}": CallsArgument(1, "", 0, ACCUMULATING)
        for name in ("Exists", "Find", "FindAll", "ForEach", "Sort")
    }
    async_returns_wrapped = False
    constructors_are_named_like_classes = True
    names_other_constructor = r"\b(?:base|this)\s*\("
    passive_marks = frozenset(_PASSIVE.split())
    called_members = frozenset({"Main"})
    converted = re.compile(rb"\b(?:JsonNamingPolicy|CamelCase\w*|SnakeCase\w*)\b")
    unnamed_prefixes = ("~", "this[")
    unnamed_signs = True
    unnamed_members = frozenset(
        "Add Current Deconstruct GetAsyncEnumerator GetAwaiter GetEnumerator MoveNext MoveNextAsync".split()
    )
    run_unnamed = frozenset({"Dispose", "DisposeAsync", "GetEnumerator"})
    has_packages = True
    packages_are_written = True
    types_of_one_name = "parts"
    inherits_types = True
    overloads = "methods"
    extensions = "called"
    argument_count = "all"
    configuration_files = FILES_OF_USINGS

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        if kind != "class":
            return ()
        short = remove_ending(name, "Controller", "ViewComponent", "TagHelper", "PageModel")
        return (Given(short, PAGES), Given(kebab(short), PAGES)) if short else ()

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.namespaces = namespaces_of_projects(project)
        """Folder -> the namespaces that all files below it see."""

    def packages_imported(self, path: str) -> tuple[str, ...]:
        folders = upwards(path.rpartition("/")[0]) if self.namespaces else []
        return tuple(name for folder in folders for name in self.namespaces.get(folder, ()))

    @classmethod
    def is_attribute(cls, name: str) -> bool:
        return name.endswith("Attribute")

    def packages_around(self, package: str) -> tuple[str, ...]:
        return self.packages_seen(package)

    def packages_seen(self, package: str) -> tuple[str, ...]:
        parts = package.split(".")
        return (*(".".join(parts[:end]) for end in range(len(parts), 0, -1)), "")

    def is_promise(self, kind: str, text: str) -> bool:
        return kind == "field" and text.startswith(("event ", "public event "))
