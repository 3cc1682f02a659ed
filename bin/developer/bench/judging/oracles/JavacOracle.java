// Java by javac's attribution: `java --add-exports ... JavacOracle.java ROOT FOLDER...` (scorecard.py has the options).
// In: a checkout and the folders whose files are judged. Out: JSON on standard output, as occurrences.py reads it;
// columns count UTF-16 units. Libraries need not be there: what depends on them has an erroneous type and is left out.

import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.TreeInfo;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

public class JavacOracle {
    static Path root;
    static Trees trees;
    static final Map<Element, String> keys = new HashMap<>();
    static final Map<String, String> places = new LinkedHashMap<>();
    static final Set<String> uses = new LinkedHashSet<>();
    static final Set<String> overrides = new LinkedHashSet<>();

    public static void main(String[] arguments) throws Exception {
        root = Path.of(arguments[0]).toRealPath();
        List<Path> files = new ArrayList<>();
        for (String folder : Arrays.copyOfRange(arguments, 1, arguments.length)) {
            try (Stream<Path> below = Files.walk(root.resolve(folder))) {
                below.filter(p -> p.toString().endsWith(".java") && !p.endsWith("module-info.java")).sorted().forEach(files::add);
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
        JavacTask task = (JavacTask) compiler.getTask(
            null, manager, d -> {}, List.of("-proc:none", "-Xmaxerrs", "100000", "-XDshould-stop.ifError=FLOW"), null,
            manager.getJavaFileObjectsFromPaths(files));
        trees = Trees.instance(task);
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        for (CompilationUnitTree unit : units) new Reader(unit).scan(unit, null);
        for (CompilationUnitTree unit : units) new Overriding(task.getElements()).scan(unit, null);
        StringBuilder out = new StringBuilder("{\"columns\":\"utf-16\",\"failed\":[],\"targets\":{");
        out.append(places.entrySet().stream().map(e -> "\"" + e.getKey() + "\":[" + e.getValue() + "]").collect(Collectors.joining(",")));
        out.append("},\"overrides\":[").append(String.join(",", overrides));
        out.append("],\"occurrences\":[").append(String.join(",", uses)).append("]}");
        System.out.println(out);
    }

    static String relative(CompilationUnitTree unit) {
        return root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
    }

    static String keyOf(Element element) {
        return keys.computeIfAbsent(element, each -> {
            String key = "t" + keys.size();
            TreePath path = trees.getPath(each);
            String place = "";
            if (path != null) {
                CompilationUnitTree unit = path.getCompilationUnit();
                int at = TreeInfo.diagnosticPositionFor((com.sun.tools.javac.code.Symbol) each, (JCTree) path.getLeaf()).getPreferredPosition();
                Element named = each.getKind() == ElementKind.CONSTRUCTOR ? each.getEnclosingElement() : each;
                place = "[\"" + relative(unit) + "\"," + unit.getLineMap().getLineNumber(at) + ",\"" + named.getSimpleName() + "\"]";
                if (each.getKind() == ElementKind.CONSTRUCTOR) {
                    TreePath type = trees.getPath(named);
                    int start = TreeInfo.diagnosticPositionFor((com.sun.tools.javac.code.Symbol) named, (JCTree) type.getLeaf()).getPreferredPosition();
                    place += ",[\"" + relative(unit) + "\"," + unit.getLineMap().getLineNumber(start) + ",\"" + named.getSimpleName() + "\"]";
                }
            }
            places.put(key, place);
            return key;
        });
    }

    /** Methods that a type of the sources has in place of those of its bases. */
    static class Overriding extends TreePathScanner<Void, Void> {
        final javax.lang.model.util.Elements elements;

        Overriding(javax.lang.model.util.Elements elements) {
            this.elements = elements;
        }

        @Override public Void visitClass(ClassTree tree, Void nothing) {
            if (trees.getElement(getCurrentPath()) instanceof TypeElement type) {
                List<ExecutableElement> methods = javax.lang.model.util.ElementFilter.methodsIn(elements.getAllMembers(type));
                for (TypeElement above = type; above != null; ) {
                    addFrom(type, methods, above, new HashSet<>());
                    Element next = ((com.sun.tools.javac.code.Symbol.ClassSymbol) above).getSuperclass().asElement();
                    above = next instanceof TypeElement ? (TypeElement) next : null;
                }
            }
            return super.visitClass(tree, nothing);
        }

        void addFrom(TypeElement type, List<ExecutableElement> methods, TypeElement above, Set<TypeElement> seen) {
            if (!seen.add(above)) return;
            for (ExecutableElement base : javax.lang.model.util.ElementFilter.methodsIn(above.getEnclosedElements())) {
                for (ExecutableElement method : methods) {
                    boolean isOther = method != base && !method.getModifiers().contains(Modifier.ABSTRACT);
                    if (isOther && method.getSimpleName().equals(base.getSimpleName()) && elements.overrides(method, base, type)) {
                        overrides.add("[\"" + keyOf(method) + "\",\"" + keyOf(base) + "\"]");
                    }
                }
            }
            for (var each : above.getInterfaces()) {
                if (((javax.lang.model.type.DeclaredType) each).asElement() instanceof TypeElement contract) addFrom(type, methods, contract, seen);
            }
        }
    }

    static class Reader extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final String path;
        final CharSequence text;

        Reader(CompilationUnitTree unit) throws Exception {
            this.unit = unit;
            this.path = relative(unit);
            this.text = unit.getSourceFile().getCharContent(true);
        }

        void note(long at, String kind, Element element, String name) {
            if (element == null || at < 0 || element.asType().getKind() == javax.lang.model.type.TypeKind.ERROR) return;
            switch (element.getKind()) {
                case LOCAL_VARIABLE, PARAMETER, EXCEPTION_PARAMETER, RESOURCE_VARIABLE, BINDING_VARIABLE, TYPE_PARAMETER, PACKAGE: return;
                default:
            }
            if (at + name.length() > text.length() || !text.subSequence((int) at, (int) at + name.length()).toString().equals(name)) return;
            long line = unit.getLineMap().getLineNumber(at);
            long column = at - unit.getLineMap().getStartPosition(line) + 1;
            uses.add("[\"" + path + "\"," + line + "," + column + ",\"" + kind + "\",\"" + keyOf(element) + "\"]");
        }

        long nameAt(Tree tree) {
            if (tree instanceof MemberSelectTree select) {
                long end = ((JCTree) select).getEndPosition(((com.sun.tools.javac.tree.JCTree.JCCompilationUnit) unit).endPositions);
                return end - select.getIdentifier().length();
            }
            return TreeInfo.getStartPos((JCTree) tree);
        }

        String kindHere(Tree tree) {
            TreePath above = getCurrentPath().getParentPath();
            if (above == null) return "references";
            Tree parent = above.getLeaf();
            if (parent instanceof MethodInvocationTree call && call.getMethodSelect() == tree) return "calls";
            if (parent instanceof ParameterizedTypeTree type && type.getType() == tree && above.getParentPath() != null) {
                tree = parent;
                parent = above.getParentPath().getLeaf();
            }
            if (parent instanceof ClassTree type && (type.getExtendsClause() == tree || type.getImplementsClause().contains(tree))) return "inherits";
            for (TreePath each = above; each != null && each.getLeaf() instanceof MemberSelectTree; each = each.getParentPath()) above = each;
            if (above.getLeaf() instanceof ImportTree || above.getParentPath() != null && above.getParentPath().getLeaf() instanceof ImportTree) return "imports";
            if (parent instanceof NewClassTree made && made.getIdentifier() == tree) return "";
            return "references";
        }

        @Override public Void visitIdentifier(IdentifierTree tree, Void nothing) {
            String kind = kindHere(tree), name = tree.getName().toString();
            if (!kind.isEmpty() && !name.equals("this") && !name.equals("super")) note(nameAt(tree), kind, trees.getElement(getCurrentPath()), name);
            return super.visitIdentifier(tree, nothing);
        }

        @Override public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
            String kind = kindHere(tree), name = tree.getIdentifier().toString();
            if (!kind.isEmpty() && !name.equals("this") && !name.equals("class")) note(nameAt(tree), kind, trees.getElement(getCurrentPath()), name);
            return super.visitMemberSelect(tree, nothing);
        }

        @Override public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
            String name = tree.getName().toString();
            long end = ((JCTree) tree).getEndPosition(((com.sun.tools.javac.tree.JCTree.JCCompilationUnit) unit).endPositions);
            if (!name.equals("<init>")) note(end - name.length(), "references", trees.getElement(getCurrentPath()), name);
            return super.visitMemberReference(tree, nothing);
        }

        @Override public Void visitNewClass(NewClassTree tree, Void nothing) {
            Tree type = tree.getIdentifier();
            while (type instanceof ParameterizedTypeTree p) type = p.getType();
            while (type instanceof AnnotatedTypeTree a) type = a.getUnderlyingType();
            Element made = trees.getElement(getCurrentPath());
            if (tree.getClassBody() == null && made != null) {
                note(nameAt(type), "calls", made, made.getEnclosingElement().getSimpleName().toString());
            }
            return super.visitNewClass(tree, nothing);
        }
    }
}
