"""A name that a library takes apart, or that its function is told, keeps a list from being complete."""

from __future__ import annotations

from pathlib import Path

import pytest
from accounts import encoded, lines_left, usages

VISITOR = (
    "class Base:\n    def go(self, node):\n        return getattr(self, f'visit_{node.kind}')(node)\n"
    "class Tree(Base):\n    def visit_add(self, node): ...\n    def visits(self): ...\n"
    "    def old_visit_add(self): ...\n"
    "class Other:\n    def visit_city(self): ...\n"
)
RUBY = 'class Svc\n  def do_start; end\n  def start_do; end\n  def run(x) = send("do_#{x}")\nend\n'
PHP = (
    "<?php\nnamespace App;\nclass C {\n  function run($x) {\n    $m = 'handle' . ucfirst($x);\n    $this->$m();\n  }\n"
    "  function handleIt() {}\n  function handler() {}\n}\n"
)
SCRIPT = "class W {\n  fire(k) {\n    this['on' + k]();\n  }\n  onOpen() {}\n  once() {}\n}\n"
SHELL = {"a.sh": '. ./lib.sh\n"run_$1"\neval "evaled_it 3"\nexit_hook=left_it\n', "lib.sh": ""}
SHELL["lib.sh"] = "".join(f"{name}() {{ :; }}\n" for name in ("run_me", "evaled_it", "left_it", "rerun_me"))
COMPUTED: dict[str, tuple[dict[str, str | bytes], str, list[str]]] = {
    "Python": ({"m.py": VISITOR}, "Tree.visit_add", ["m.py:3"]),
    "Python, another word": ({"m.py": VISITOR}, "Tree.visits", []),
    "Python, more before it": ({"m.py": VISITOR}, "Tree.old_visit_add", []),
    "Ruby": ({"a.rb": RUBY}, "Svc.do_start", ["a.rb:4"]),
    "Ruby, the other way round": ({"a.rb": RUBY}, "Svc.start_do", []),
    "PHP": ({"C.php": PHP}, "C.handleIt", ["C.php:5"]),
    "JavaScript": ({"w.js": SCRIPT}, "W.onOpen", ["w.js:3"]),
    "a line of a shell in a string": (dict(SHELL), "evaled_it", ["a.sh:3"]),
    "a value of a shell": (dict(SHELL), "left_it", ["a.sh:4"]),
}
FOLLOWED: dict[str, tuple[dict[str, str | bytes], str, list[str]]] = {
    "JavaScript: a variable as an index": (
        {
            "a.js": "Joiner.prototype = {\n  visitMedia: function () {},\n  endMedia: function () {},\n};\n"
            "function go(impl, node) {\n  var func, name;\n  name = 'visit' + node.type;\n  log(1);\n  log(2);\n"
            "  log(3);\n  func = impl[name];\n  cache['end' + node.type] = func;\n  return func.call(impl);\n}\n"
        },
        "Joiner.visitMedia",
        ["a.js:7"],
    ),
    "JavaScript: only written by an index": (
        {
            "a.js": "Joiner.prototype = {\n  endMedia: function () {},\n};\n"
            "function go(cache, node) {\n  cache['end' + node.type] = node;\n}\n"
        },
        "Joiner.endMedia",
        [],
    ),
    "JavaScript: no member": (
        {"a.js": "function onOpen() {}\nfunction go(x, k) {\n  x['on' + k]();\n}\n"},
        "onOpen",
        [],
    ),
    "TypeScript: what a method returns": (
        {
            "a.ts": "class V {\n  visitMedia() {}\n  nameOf(k: string) { return `visit${k}`; }\n"
            "  go(o: any, k: string) {\n    const m = this.nameOf(k);\n    return o[m]();\n  }\n}\n"
        },
        "V.visitMedia",
        ["a.ts:3"],
    ),
    "TypeScript: a constant before it": (
        {"a.ts": "const PRE = 'visit';\nclass V {\n  visitMedia() {}\n  go(k: any) { return this[PRE + k](); }\n}\n"},
        "V.visitMedia",
        ["a.ts:4"],
    ),
    "Python: a variable far above": (
        {
            "a.py": "class V:\n    def visit_media(self): ...\n\ndef go(v, k):\n    name = 'visit_' + k\n"
            "    print(1)\n    print(2)\n    print(3)\n    print(4)\n    return getattr(v, name)()\n"
        },
        "V.visit_media",
        ["a.py:5"],
    ),
    "Python: a constant before it": (
        {
            "a.py": "PRE = 'visit_'\n\nclass V:\n    def visit_media(self): ...\n"
            "    def go(self, k):\n        return getattr(self, PRE + k)()\n"
        },
        "V.visit_media",
        ["a.py:6"],
    ),
    "Python: joined": (
        {"a.py": "class V:\n    def visit_media(self): ...\n\ndef go(v, k): getattr(v, '_'.join(('visit', k)))()\n"},
        "V.visit_media",
        ["a.py:4"],
    ),
    "Ruby: a variable far above": (
        {
            "a.rb": 'class V\n  def visit_media; end\n  def go(o, k)\n    name = "visit_#{k}"\n'
            "    p 1\n    p 2\n    p 3\n    p 4\n    o.public_send(name)\n  end\nend\n"
        },
        "V.visit_media",
        ["a.rb:4"],
    ),
    "PHP: a variable far above": (
        {
            "a.php": "<?php\nclass V {\n  function visitMedia() {}\n  function go($o, $k) {\n"
            "    $m = sprintf('visit%s', $k);\n    echo 1;\n    echo 2;\n    echo 3;\n    return $o->$m();\n  }\n}\n"
        },
        "V.visitMedia",
        ["a.php:5"],
    ),
    "PHP: a pair that is called": (
        {
            "a.php": "<?php\nclass V {\n  function visitMedia() {}\n  function go($k) {\n"
            "    $m = [$this, 'visit' . $k];\n    return $m();\n  }\n}\n"
        },
        "V.visitMedia",
        ["a.php:5"],
    ),
    "Lua": (
        {
            "a.lua": "local V = {}\nfunction V.visitMedia() end\nfunction V.go(o, k)\n  local name = 'visit' .. k\n"
            "  return o[name](o)\nend\nreturn V\n"
        },
        "V.visitMedia",
        ["a.lua:4"],
    ),
    "Java": (
        {
            "A.java": "class A {\n  void visitMedia() {}\n  Object go(Object o, String k) throws Exception {\n"
            '    String name = "visit" + k;\n    log(1);\n    log(2);\n    log(3);\n'
            "    return o.getClass().getMethod(name).invoke(o);\n  }\n}\n"
        },
        "A.visitMedia",
        ["A.java:4"],
    ),
    "C#": (
        {
            "A.cs": "class A {\n  void VisitMedia() {}\n  object Go(object o, string k) {\n"
            '    var name = $"Visit{k}";\n    Log(1);\n    Log(2);\n    Log(3);\n'
            "    return o.GetType().GetMethod(name).Invoke(o, null);\n  }\n}\n"
        },
        "A.VisitMedia",
        ["A.cs:4"],
    ),
    "Kotlin": (
        {
            "A.kt": "class A {\n  fun visitMedia() {}\n"
            '  fun go(k: String) { javaClass.getMethod("visit$k").invoke(this) }\n}\n'
        },
        "A.visitMedia",
        ["A.kt:3"],
    ),
    "Go": (
        {
            "go.mod": "module x\n",
            "a.go": "package x\n\ntype V struct{}\n\nfunc (v V) VisitMedia() {}\n\nfunc Go(o any, k string) {\n"
            '\tname := fmt.Sprintf("Visit%s", k)\n\tlog(1)\n\tlog(2)\n\tlog(3)\n'
            "\treflect.ValueOf(o).MethodByName(name).Call(nil)\n}\n",
        },
        "V.VisitMedia",
        ["a.go:8"],
    ),
    "Elixir": (
        {
            "a.ex": "defmodule V do\n  def visit_media(x), do: x\n"
            '  def go(k), do: apply(V, String.to_atom("visit_" <> k), [1])\nend\n'
        },
        "V.visit_media",
        ["a.ex:3"],
    ),
    "Swift": (
        {
            "A.swift": "class A: NSObject {\n  @objc func visitMedia() {}\n"
            '  func go(k: String) { perform(Selector("visit\\(k)")) }\n}\n'
        },
        "A.visitMedia",
        ["A.swift:3"],
    ),
}
VERBS: dict[str, str | bytes] = {
    "lib/router.rb": "class Router\n  def link; end\n  def trace; end\nend\n",
    "lib/http.rb": "module Http\n  VERBS = %w[get link].freeze\n  OTHERS = %w[trace].freeze\n"
    "  def self.verbs\n    VERBS\n  end\nend\n",
    "spec/a_spec.rb": "Http.verbs.each do |verb|\n  Router.new.__send__ verb\nend\n",
}
SIGNALS: dict[str, str | bytes] = {
    "a.py": "class Till:\n    def shut(self): ...\n    def ring(self): ...\n",
    "names.py": "NAMES = ['shut']\nOTHERS = ['ring']\n",
    "run.py": "from names import NAMES\n\ndef go(till):\n    for name in NAMES:\n        getattr(till, name)()\n",
}
LISTED: dict[str, tuple[dict[str, str | bytes], str, list[str]]] = {
    "Ruby: a word of a list that a function returns": (VERBS, "Router.link", ["lib/http.rb:2"]),
    "Ruby: a word of another list": (VERBS, "Router.trace", []),
    "Python: a word of a list": (SIGNALS, "Till.shut", ["names.py:1"]),
    "Python: a word of another list": (SIGNALS, "Till.ring", []),
}
HANDED_ON: dict[str, tuple[dict[str, str | bytes], str, list[str]]] = {
    "a label of an element": (
        {
            "a.js": "var view;\nview = ['$v',\n  function ViewDirective(v) { return v; }];\n"
            "module.directive('view', view);\n"
        },
        "ViewDirective",
        ["a.js:3"],
    ),
    "a label of an argument": ({"a.js": "scope.$on('x', async function onGone() {});\n"}, "onGone", ["a.js:1"]),
    "a label of a class": ({"a.js": "wrap(class Named {});\n"}, "Named", ["a.js:1"]),
    "a label of what is called there": ({"a.js": "(function main() {})();\n"}, "main", []),
    "no value": ({"a.js": "go();\nfunction plain() {}\n"}, "plain", []),
    "in a literal that is an argument": (
        {"a.js": "add({\n  one: { two: function () {} },\n  three() {},\n});\n"},
        "three",
        ["a.js:1"],
    ),
    "in a literal within it": ({"a.js": "add({\n  one: { two: function () {} },\n});\n"}, "one.two", ["a.js:1"]),
    "in an object that is handed on": ({"a.js": "const o = { go() {} };\nadd(o);\n"}, "o.go", ["a.js:2"]),
    "in a local object that is handed on": (
        {"a.js": "function f() { const o = { go() {} }; add(1, o); }\n"},
        "f.o.go",
        ["a.js:1"],
    ),
    "in an object that is offered": (
        {"a.js": "const o = { go() {} };\nexport default { o };\n"},
        "o.go",
        [],
    ),
    "in an object that is kept": ({"a.js": "const o = { go() {} };\no.x = 1;\n"}, "o.go", []),
    "in an object within an argument": ({"a.js": "add(() => {\n  const o = { go() {} };\n});\n"}, "o.go", []),
}
MODELS = (
    "from django.db import models\nclass Author(models.Model):\n    nick_name = models.CharField()\n"
    "    title = models.CharField()\n    isbn = models.CharField()\n    unasked = models.CharField()\n"
    "class Plain:\n    isbn = 1\n"
)
VIEWS = (
    "from .models import Author\ndef view():\n    Author.objects.filter(isbn='x').order_by('title')\n"
    "    Author.objects.exclude(books__author__nick_name='x').values('-author__nick_name')\n"
    "    log(unasked='title', name='nick_name_of')\n    client.get(url_for('x', unasked=1), {'unasked': 1})\n"
)
DJANGO: dict[str, str | bytes] = {"shop/models.py": MODELS, "shop/views.py": VIEWS, "shop/__init__.py": ""}
ELOQUENT: dict[str, str | bytes] = {
    "Post.php": "<?php\nuse Illuminate\\Database\\Eloquent\\Model;\nclass Post extends Model {\n"
    "  function comments() {}\n  function tags() {}\n  function words() {}\n}\n"
    "class Plain { function comments() {} }\n",
    "C.php": "<?php\nPost::with('comments')->get();\n$post->load(['tags.owner', 'x']);\necho('words');\n",
}
POLICY: dict[str, str | bytes] = {
    "app/Policies/PostPolicy.php": "<?php\nnamespace App\\Policies;\nclass PostPolicy {\n"
    "  public function delete($user, $post) {}\n  public function restore($user, $post) {}\n"
    "  public function hide($user, $post) {}\n}\n",
    "app/Other.php": "<?php\nclass Other { public function delete() {} }\n",
    "app/PostResource.php": "<?php\nclass PostResource {\n  function show($request) {\n"
    "    $request->user()->can('delete', $this->resource);\n    \\Gate::denies('restore', $this->resource->post);\n"
    "    log('hide', $this->resource);\n  }\n}\n",
}
SPRING: dict[str, str | bytes] = {
    "Owner.java": "class Owner {\n  private String lastName;\n  private String name;\n  private String town;\n}\n",
    "Owners.java": "interface Owners {\n  List<Owner> findByTownAndLastName(String a, String b);\n"
    "  void renamesOwner();\n}\n",
}
VUEX: dict[str, str | bytes] = {
    "cart.js": "const actions = {\n  refresh() {},\n  empty() {},\n};\nexport default { actions };\n",
    "page.js": "this.$store.dispatch('cart/refresh');\nconsole.log('empty');\n",
}
DOCTRINE: dict[str, str | bytes] = {
    "Team.php": "<?php\nclass Team {\n  public string $kind;\n  public string $activeSlug;\n  public string $label;\n"
    "  public string $size;\n}\n",
    "Teams.php": "<?php\nfunction all($q) {\n  $q->where('t.activeSlug = :slug')->orderBy('t.kind', 'DESC');\n"
    "  $q->findOneBy(['label' => 'x']);\n  log('t.size = 1');\n  $q->where('size = 1');\n}\n",
}
TYPEORM: dict[str, str | bytes] = {
    "team.ts": "export class Team { kind = ''; size = 1; }\n",
    "teams.ts": "export const all = (q: any) => q.andWhere('team.kind = :kind');\nconsole.log('team.size = 1');\n",
}
TOLD: dict[str, tuple[dict[str, str | bytes], str, list[str]]] = {
    "Django: a keyword": (DJANGO, "Author.isbn", ["shop/views.py:3"]),
    "Django: a word in a string": (DJANGO, "Author.title", ["shop/views.py:3"]),
    "Django: parts of longer names": (DJANGO, "Author.nick_name", ["shop/views.py:4"]),
    "Django: a keyword of another function": (DJANGO, "Author.unasked", []),
    "Django: no model's": (DJANGO, "Plain.isbn", []),
    "Eloquent": (ELOQUENT, "Post.comments", ["C.php:2"]),
    "Eloquent: in a list, with more behind it": (ELOQUENT, "Post.tags", ["C.php:3"]),
    "Eloquent: printed": (ELOQUENT, "Post.words", []),
    "Eloquent: no model's": (ELOQUENT, "Plain.comments", []),
    "a policy, for what is asked about something unknown": (POLICY, "PostPolicy.delete", ["app/PostResource.php:4"]),
    "a policy, by the gate": (POLICY, "PostPolicy.restore", ["app/PostResource.php:5"]),
    "a policy, logged": (POLICY, "PostPolicy.hide", []),
    "no policy": (POLICY, "Other.delete", []),
    "Spring Data": (SPRING, "Owner.lastName", ["Owners.java:2"]),
    "Spring Data: only the end of a word": (SPRING, "Owner.name", []),
    "Spring Data: the first of two": (SPRING, "Owner.town", ["Owners.java:2"]),
    "a query builder: a condition": (DOCTRINE, "Team.activeSlug", ["Teams.php:3"]),
    "a query builder: an order": (DOCTRINE, "Team.kind", ["Teams.php:3"]),
    "a repository's criteria": (DOCTRINE, "Team.label", ["Teams.php:4"]),
    "a query builder: printed, and without what stands for the object": (DOCTRINE, "Team.size", []),
    "a query builder of TypeScript": (TYPEORM, "Team.kind", ["teams.ts:1"]),
    "a query builder of TypeScript: printed": (TYPEORM, "Team.size", []),
    "Vuex": (VUEX, "actions.refresh", ["page.js:1"]),
    "Vuex: printed": (VUEX, "actions.empty", []),
}
CLAP: dict[str, str | bytes] = {
    "Cargo.toml": '[package]\nname = "x"\n',
    "src/main.rs": "use clap::Parser;\n#[derive(Parser)]\nstruct Args {\n"
    '    #[arg(long, conflicts_with = "quiet")]\n    loud: bool,\n    /// Not "kept".\n    quiet: bool,\n'
    '    #[arg(long, requires_all = ["loud", "other"])]\n    kept: bool,\n}\nfn main() { log("kept"); }\n',
}
LOMBOK: dict[str, str | bytes] = {
    "A.java": '@ToString(of = {"name"})\nclass A {\n  private String name;\n  private String plain;\n'
    '  @OneToMany(mappedBy = "owner")\n  private List<B> items;\n}\n'
    'class B {\n  @JoinColumn(name = "plain")\n  private A owner;\n}\n',
}
MARKED: dict[str, tuple[dict[str, str | bytes], str, list[str]]] = {
    "clap": (CLAP, "Args.quiet", ["src/main.rs:4"]),
    "clap: in a list": (CLAP, "Args.loud", ["src/main.rs:8"]),
    "clap: elsewhere": (CLAP, "Args.kept", []),
    "Lombok": (LOMBOK, "A.name", ["A.java:1"]),
    "JPA": (LOMBOK, "B.owner", ["A.java:5"]),
    "JPA: a column": (LOMBOK, "A.plain", []),
    "Doctrine": (
        {
            "A.php": "<?php\nclass A {\n  #[ORM\\OneToMany(mappedBy: 'owner')]\n  private $b;\n}\n"
            "class B { private $owner; }\n"
        },
        "B.owner",
        ["A.php:3"],
    ),
}
CODE: dict[str, tuple[dict[str, str | bytes], str, list[str]]] = {
    "an expression in a string": (
        {"A.java": 'class A {\n  @PreAuthorize("isOwner() and @sec.mayDo(#o)") void a() {}\n  void mayDo() {}\n}\n'},
        "A.mayDo",
        ["A.java:2"],
    ),
    "a sentence in a string": ({"m.py": "def load_it(): ...\nprint('load_it() failed')\n"}, "load_it", []),
    "a query in small letters": (
        {"a.sql": "CREATE TABLE orders (id int);\n", "a.py": "run('select id from orders')\nrun('orders of today')\n"},
        "orders",
        ["a.py:1"],
    ),
    "a setting, whose use is an edge": (
        {"settings.py": "MY_FLAG = 1\n", "v.py": "from django.conf import settings\nprint(settings.MY_FLAG)\n"},
        "MY_FLAG",
        [],
    ),
    "no setting": ({"settings.py": "MY_FLAG = 1\n", "v.py": "import re\nprint(re.MY_FLAG)\n"}, "MY_FLAG", []),
    "Angular: a property in a page in a string": (
        {
            "a.ts": "export class A { sizeOf = 1; unbound = 1; }\n",
            "b.ts": '@Component({ template: `<a-b [sizeOf]="x" (unbound)></a-b>` })\nexport class B {}\n',
        },
        "A.sizeOf",
        ["b.ts:1"],
    ),
    "Scala: an implicit class": (
        {
            "A.scala": "object Ext {\n  implicit class Rich(s: String) { def shout: String = s }\n}\n"
            'object Main {\n  import Ext._\n  val q = "a".shout\n}\n'
        },
        "shout",
        ["A.scala:6"],
    ),
}


CASES = COMPUTED | FOLLOWED | LISTED | HANDED_ON | TOLD | MARKED | CODE


@pytest.mark.parametrize("case", CASES)
def test_a_place_that_makes_a_name_or_is_told_it_may_mean_the_symbol(case: str, tmp_path: Path) -> None:
    files, name, left = CASES[case]
    (found,) = usages(encoded(tmp_path, files), name, tests="all").symbols

    assert list(dict.fromkeys(lines_left(found))) == left
    assert found.complete == (not left)


CONFORMING: dict[str, tuple[dict[str, str | bytes], str, bool]] = {
    "TypeScript": (
        {
            "a.ts": "interface Runner { runIt(): void; size: number; extra?: number }\n"
            "class Job { size = 1; runIt() {} }\nclass Half { runIt() {} }\nfunction go(r: Runner) { r.runIt(); }\n"
        },
        "Job.runIt",
        False,
    ),
    "Python": (
        {
            "m.py": "from typing import Protocol\nclass P(Protocol):\n    def act_now(self): ...\n"
            "class Impl:\n    def act_now(self): ...\ndef f(p: P):\n    p.act_now()\n"
        },
        "Impl.act_now",
        False,
    ),
    "Python: no protocol": (
        {
            "m.py": "class P:\n    def act_now(self): ...\n"
            "class Impl:\n    def act_now(self): ...\ndef f(p: P):\n    p.act_now()\n"
        },
        "Impl.act_now",
        True,
    ),
}
CONFORMING["TypeScript: a class without one of the members"] = (CONFORMING["TypeScript"][0], "Half.runIt", True)


@pytest.mark.parametrize("case", CONFORMING)
def test_a_call_on_a_type_may_mean_a_class_that_has_all_its_members(case: str, tmp_path: Path) -> None:
    files, name, complete = CONFORMING[case]
    (found,) = usages(encoded(tmp_path, files), name, tests="all").symbols

    assert found.complete == complete
