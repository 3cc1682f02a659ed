"""Rails: names of tables, templates, routes and helpers lead to code, also after an edit of either."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from edits import edited
from repositories import write

import rpg
from rpg.encoder.languages.declarative.ruby.inflection import camelize, plural, singular
from rpg.encoder.options import Options
from rpg.repository import encode
from rpg.stores.graph_file import graph_file

CASE = Path(__file__).parents[2] / "fixtures/ruby/frameworks_rails"
VIEWS: dict[str, str | bytes] = {
    "app/views/stories/index.html.erb": '<%= shortened current_user %>\n<%= render "row", story: 1 %>\n',
    "app/views/stories/_row.html.erb": "<b><%= story.title %></b>\n",
}
EDITS = {
    "column": ("db/schema.rb", '"username"', '"nick"'),
    "predicate": ("db/schema.rb", "t.boolean", "t.string"),
    "table": ("db/schema.rb", '"users"', '"people"'),
    "model": ("app/models/story.rb", "class Story", "class Tale"),
    "association": ("app/models/story.rb", "belongs_to :user", "belongs_to :owner"),
    "class-of-association": ("app/models/user.rb", 'class_name: "Story"', 'class_name: "User"'),
    "scope": ("app/models/story.rb", "scope :recent", "scope :latest"),
    "scope-of-concern": ("app/models/concerns/scored.rb", "scope :top", "scope :first_of_all"),
    "enum": ("app/models/story.rb", "prefix: true", "prefix: :in"),
    "library-that-is-opened": (
        "app/helpers/text_helper.rb",
        "module TextHelper",
        "module ActiveRecord\nend\n\nmodule TextHelper",
    ),
    "base": ("app/jobs/rank_job.rb", "< ActiveJob::Base", ""),
    "action": ("app/controllers/stories_controller.rb", "def vote", "def voted"),
    "controller": ("app/controllers/admin/users_controller.rb", "Admin::Users", "Admin::People"),
    "route": ("config/routes.rb", "namespace :admin", "namespace :staff"),
    "job": ("app/jobs/rank_job.rb", "def perform", "def run"),
    "helper": ("app/helpers/text_helper.rb", "def shortened", "def cut"),
    "helper-of-controller": ("app/controllers/stories_controller.rb", "helper_method :current_user", ""),
    "name-of-template": ("app/views/stories/index.html.erb", '"row"', '"other"'),
}


def repository(folder: Path) -> Path:
    root = folder / "repo"
    shutil.copytree(CASE, root)
    write(root, VIEWS)
    return root


def edges(graph: Path) -> set[tuple[str, str, str, str]]:
    return {(each.source, each.kind, each.target, each.via) for each in graph_file.read(graph).edges}


@pytest.mark.invariant(
    "edges",
    "columns, routes, helpers and templates of Rails lead to code, after any edit of either",
)
@pytest.mark.parametrize(("path", "old", "new"), EDITS.values(), ids=EDITS)
def test_after_an_edit_the_graph_is_that_of_a_clean_encode(tmp_path: Path, path: str, old: str, new: str) -> None:
    repository(tmp_path)
    edit = edited(tmp_path, path, old, new)
    assert edges(edit.after) != edges(edit.before)


def test_a_template_that_comes_or_goes_is_the_one_that_is_meant(tmp_path: Path) -> None:
    root, kept, clean = repository(tmp_path), tmp_path / "kept.graph.json", tmp_path / "clean.graph.json"
    index = "app/views/stories/index.html.erb"
    seen = []
    for there in (True, False, True):
        row = root / "app/views/stories/_row.html.erb"
        shared = root / "app/views/application/_row.html.haml"
        shared.parent.mkdir(exist_ok=True)
        row.unlink(missing_ok=True)
        shared.unlink(missing_ok=True)
        (row if there else shared).write_text("row\n")
        encode(root, kept, Options())
        encode(root, clean, Options(), full=True)
        assert kept.read_bytes() == clean.read_bytes()
        seen += [target for source, kind, target, _ in edges(kept) if source == index and "row" in target]

    assert seen == [
        "app/views/stories/_row.html.erb",
        "app/views/application/_row.html.haml",
        "app/views/stories/_row.html.erb",
    ]


@pytest.mark.invariant(
    "edges",
    "columns, routes, helpers and templates of Rails lead to code, after any edit of either",
)
def test_a_column_a_helper_and_an_action_have_their_uses(tmp_path: Path) -> None:
    graph = tmp_path / "shop.graph.json"
    encode(repository(tmp_path), graph, Options())
    with rpg.open(graph) as opened:
        [column] = opened.find_usages(symbol=["User.is_admin?"]).symbols
        [helper] = opened.find_usages(symbol=["TextHelper.shortened"]).symbols
        [action] = opened.find_usages(symbol=["Admin.UsersController.index"]).symbols

    assert [each.path for each in column.certain] == ["app/models/story.rb", "app/models/user.rb"]
    assert [each.path for each in helper.certain] == [
        "app/helpers/stories_helper.rb",
        "app/views/stories/index.html.erb",
    ]
    assert ([each.path for each in action.certain], action.complete) == (["config/routes.rb"], True)


def test_an_action_is_called_on_the_controller_alone(tmp_path: Path) -> None:
    root, graph = tmp_path / "repo", tmp_path / "shop.graph.json"
    write(
        root,
        {
            "config/routes.rb": 'Rails.application.routes.draw do\n  get "/notes" => "notes#keep"\nend\n',
            "app/controllers/notes_controller.rb": (
                "class NotesController < ActionController::Base\n  def keep\n  end\n\n  def clean\n  end\nend\n"
            ),
            "app/controllers/concerns/cleaned.rb": "module Cleaned\n  def around(it)\n    it.clean\n  end\nend\n",
            "app/controllers/other_controller.rb": (
                "class OtherController < ActionController::Base\n  include Cleaned\n\n  def clean\n  end\nend\n"
            ),
            "app/jobs/note_job.rb": (
                "class NoteJob\n  def perform(notes)\n    notes[0].keep\n    notes[0].clean\n  end\nend\n"
            ),
            "app/models/box.rb": "class Box\n  def keep\n  end\nend\n",
        },
    )
    encode(root, graph, Options())
    with rpg.open(graph) as opened:
        [action] = opened.find_usages(symbol=["NotesController.keep"]).symbols
        [of_controllers] = opened.find_usages(symbol=["NotesController.clean"]).symbols
        [of_others] = opened.find_usages(symbol=["Box.keep"]).symbols

    assert (action.total, action.complete) == ({"certain": 1}, True)
    assert of_controllers.total == {"possible": 1}
    assert of_others.total == {"possible": 1}


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("story", "stories"), ("user", "users"), ("address", "addresses"), ("person", "people"), ("status", "statuses"),
        ("hidden_story", "hidden_stories"), ("series", "series"), ("box", "boxes"), ("day", "days"), ("wife", "wives"),
        ("analysis", "analyses"), ("movie", "movies"), ("news", "news"), ("class", "classes"), ("index", "indices"),
    ],
)  # fmt: skip
def test_words_in_the_singular_and_plural(one: str, many: str) -> None:
    assert (singular(many), plural(one), singular(one), camelize(one)) == (
        one,
        many,
        one,
        one.title().replace("_", ""),
    )
