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
    "Vuex": (VUEX, "actions.refresh", ["page.js:1"]),
    "Vuex: printed": (VUEX, "actions.empty", []),
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
    "a setting": (
        {"settings.py": "MY_FLAG = 1\n", "v.py": "from django.conf import settings\nprint(settings.MY_FLAG)\n"},
        "MY_FLAG",
        ["v.py:2"],
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


@pytest.mark.parametrize("case", COMPUTED | TOLD | CODE)
def test_a_place_that_makes_a_name_or_is_told_it_may_mean_the_symbol(case: str, tmp_path: Path) -> None:
    files, name, left = (COMPUTED | TOLD | CODE)[case]
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
