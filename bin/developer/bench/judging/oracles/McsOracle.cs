// C# by mcs, Mono's compiler (to C# 7.2 without local functions): `mono McsOracle.exe ROOT OPTION... -- FOLDER...`
// (scorecard.py compiles it). In: a checkout, mcs's options and the folders whose files are judged. Out: JSON on
// standard output, as occurrences.py reads it. mcs is used as a library, as its own program drives it: what it bound
// each call, construction and property to stands in the trees that it leaves behind. Absent: fields and types, which
// the trees do not keep, and what only another platform's `#if` compiles.

using Mono.CSharp;
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

class Oracle {
    const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;
    static string root;
    static readonly Dictionary<object, string> keys = new Dictionary<object, string>(new Same());
    static readonly SortedDictionary<string, string> places = new SortedDictionary<string, string>(StringComparer.Ordinal);
    static readonly SortedSet<string> uses = new SortedSet<string>(StringComparer.Ordinal);
    static readonly Dictionary<string, string[]> texts = new Dictionary<string, string[]>();
    static readonly HashSet<object> seen = new HashSet<object>(new Same());
    static readonly Dictionary<Type, FieldInfo[]> fields = new Dictionary<Type, FieldInfo[]>();

    class Same : IEqualityComparer<object> {
        bool IEqualityComparer<object>.Equals(object one, object other) { return ReferenceEquals(one, other); }
        int IEqualityComparer<object>.GetHashCode(object one) { return RuntimeHelpers.GetHashCode(one); }
    }

    static int Main(string[] arguments) {
        root = Path.GetFullPath(arguments[0]).TrimEnd('/') + "/";
        Directory.SetCurrentDirectory(root);
        int at = Array.IndexOf(arguments, "--");
        var files = arguments.Skip(at + 1)
            .SelectMany(each => File.Exists(each) ? new[] { each } : Directory.GetFiles(each, "*.cs", SearchOption.AllDirectories))
            .Where(each => !each.Contains("/obj/")).OrderBy(each => each, StringComparer.Ordinal);
        var output = Path.GetTempFileName();
        var options = arguments.Take(at).Skip(1).Concat(new[] { "-target:library", "-out:" + output }).Concat(files);
        var context = new CompilerContext(
            new CommandLineParser(Console.Error).ParseArguments(options.ToArray()), new StreamReportPrinter(Console.Error));
        var type = typeof(RootContext).Assembly.GetType("Mono.CSharp.Driver");
        var driver = Activator.CreateInstance(type, context);
        var compiled = (bool) type.GetMethod("Compile").Invoke(driver, null);
        File.Delete(output);
        if (!compiled) return 1;
        Walk(RootContext.ToplevelTypes);
        Console.Out.Write("{\"columns\":\"utf-16\",\"failed\":[],\"judges_imports\":false,\"targets\":{");
        Console.Out.Write(string.Join(",", places.Select(each => "\"" + each.Key + "\":[" + each.Value + "]")));
        Console.Out.WriteLine("},\"occurrences\":[" + string.Join(",", uses) + "]}");
        return 0;
    }

    static void Walk(object start) {
        var pending = new Stack<object>();
        pending.Push(start);
        while (pending.Count > 0) {
            var each = pending.Pop();
            if (each == null || each is string || each is MemberSpec || each is CompilerContext || each is Report || !seen.Add(each)) continue;
            Read(each);
            var list = each as IEnumerable;
            if (list != null) foreach (var part in list) if (part != null && IsTree(part.GetType())) pending.Push(part);
            foreach (var field in FieldsOf(each.GetType())) pending.Push(field.GetValue(each));
        }
    }

    static bool IsTree(Type type) {
        return type.Namespace == "Mono.CSharp" && !type.IsValueType || type.IsGenericType && typeof(IEnumerable).IsAssignableFrom(type) || type.IsArray;
    }

    static FieldInfo[] FieldsOf(Type type) {
        FieldInfo[] found;
        if (fields.TryGetValue(type, out found)) return found;
        var all = new List<FieldInfo>();
        for (var each = type; each != null && each.Namespace == "Mono.CSharp"; each = each.BaseType)
            all.AddRange(each.GetFields(All).Where(field => field.Name != "compatibles" && IsTree(field.FieldType)));
        return fields[type] = all.ToArray();
    }

    static void Read(object tree) {
        var call = tree as Invocation;
        var made = tree as New;
        var group = tree as MethodGroupExpr;
        var property = tree.GetType().Name == "PropertyExpr" ? (MemberExpr) tree : null;
        var field = tree as FieldExpr;
        var named = tree as TypeExpr;
        if (call != null) {
            var bound = (MethodGroupExpr) Value(call, typeof(Invocation), "mg");
            if (bound != null) seen.Add(bound);
            if (bound != null && bound.BestCandidate != null) Note(bound.Location, "calls", bound.BestCandidate, bound.BestCandidate.Name, bound);
        } else if (made != null) {
            var method = (MethodSpec) Value(made, typeof(New), "method");
            if (method != null) Note(made.Location, "new", method, method.DeclaringType.Name);
        } else if (group != null) {
            if (group.BestCandidate != null) Note(group.Location, "references", group.BestCandidate, group.BestCandidate.Name, group);
        } else if (property != null) {
            var candidate = (MemberSpec) Value(property, property.GetType().BaseType, "best_candidate");
            if (candidate != null) Note(property.Location, "references", candidate, candidate.Name, property);
        } else if (field != null && field.Spec != null) {
            Note(field.Location, "references", field.Spec, field.Spec.Name);
        } else if (named != null && named.Type != null && !(named.Type is ElementTypeSpec)) {
            Note(named.Location, "references", named.Type, named.Type.Name);
        }
    }

    static object Value(object tree, Type type, string name) {
        return type.GetField(name, All).GetValue(tree);
    }

    static void Note(Location location, string kind, MemberSpec target, string name, MemberExpr named = null) {
        if (location.IsNull || target.MemberDefinition == null) return;
        var path = Path.GetFullPath(location.NameFullPath);
        if (!path.StartsWith(root)) return;
        path = path.Substring(root.Length);
        int line = location.Row, column = location.Column;
        if (kind == "new") {
            // The location is that of the keyword; a type without its namespace or with it follows.
            var match = new Regex(@"\Gnew\s+(?:global::)?(?:\w+(?:<[^()]*>)?\.)*(" + Regex.Escape(name) + @")\b").Match(LineOf(path, line), column - 1);
            if (!match.Success) return;
            column = match.Groups[1].Index + 1;
            kind = "calls";
        }
        var text = LineOf(path, line);
        if (column < 1 || column > text.Length || string.CompareOrdinal(text, column - 1, name, 0, name.Length) != 0) return;
        if (column - 1 + name.Length < text.Length && (char.IsLetterOrDigit(text[column - 1 + name.Length]) || text[column - 1 + name.Length] == '_')) return;
        var key = KeyOf(target);
        if (key == null) return;
        var nearer = named == null ? null : OverrideOf(target, named.InstanceExpression);
        if (nearer != null) {
            var own = PlaceOf(nearer, nearer.MemberName.Name);
            var both = key + "-" + nearer.Location.NameFullPath.GetHashCode() + "-" + nearer.Location.Row;
            places[both] = places[key].Length > 0 ? places[key] + "," + own : own;
            key = both;
        }
        uses.Add("[\"" + path + "\"," + line + "," + column + ",\"" + kind + "\",\"" + key + "\"]");
    }

    // mcs names the method that was declared first; what overrides it in the type that is named there is as right.
    static MemberCore OverrideOf(MemberSpec target, Expression instance) {
        if (instance == null || instance.Type == null || (target.Modifiers & (Modifiers.VIRTUAL | Modifiers.ABSTRACT | Modifiers.OVERRIDE)) == 0) return null;
        var wanted = target as IParametersMember;
        for (var type = instance.Type; type != null; type = type.BaseType) {
            var definition = type.MemberDefinition as TypeDefinition;
            if (definition == null || type.MemberDefinition == target.DeclaringType.MemberDefinition) continue;
            foreach (var member in definition.PartialContainer.Members) {
                if (member.MemberName.Name != target.Name || (member.ModFlags & Modifiers.OVERRIDE) == 0) continue;
                var method = member as MethodCore;
                if (method == null || wanted == null || method.ParameterInfo.Count == wanted.Parameters.Count) return member;
            }
        }
        return null;
    }

    static string LineOf(string path, int line) {
        string[] lines;
        if (!texts.TryGetValue(path, out lines)) texts[path] = lines = File.ReadAllText(path).Replace("\r\n", "\n").Split('\n');
        return line <= lines.Length ? lines[line - 1] : "";
    }

    // None for what the compiler wrote itself, such as the fields of captured variables.
    static string KeyOf(MemberSpec target) {
        var definition = target.MemberDefinition as MemberCore;
        object known = (object) definition ?? target.MemberDefinition;
        string key;
        if (keys.TryGetValue(known, out key)) return key;
        if (definition != null && definition.Parent is CompilerGeneratedContainer) return keys[known] = null;
        key = keys[known] = "t" + keys.Count;
        var found = new List<string>();
        if (definition is Constructor) {
            if (!definition.IsCompilerGenerated) found.Add(PlaceOf(definition, definition.Parent.MemberName.Name));
            found.AddRange(PartsOf(((TypeDefinition) definition.Parent).PartialContainer));
        } else if (definition is TypeDefinition) found.AddRange(PartsOf((TypeDefinition) definition));
        else if (definition is MemberCore && !(definition is TypeParameter)) found.Add(PlaceOf(definition, definition.MemberName.Name));
        else if (definition is TypeParameter) return keys[known] = null;
        places[key] = string.Join(",", found.Where(each => each != null));
        return key;
    }

    static IEnumerable<string> PartsOf(TypeDefinition type) {
        yield return PlaceOf(type, type.MemberName.Name);
        var parts = (IEnumerable<TypeDefinition>) Value(type, typeof(TypeDefinition), "class_partial_parts");
        if (parts != null) foreach (var part in parts) yield return PlaceOf(part, part.MemberName.Name);
    }

    static string PlaceOf(MemberCore member, string name) {
        if (member.Location.IsNull) return null;
        var path = Path.GetFullPath(member.Location.NameFullPath);
        return path.StartsWith(root) ? "[\"" + path.Substring(root.Length) + "\"," + member.Location.Row + ",\"" + name + "\"]" : null;
    }
}
