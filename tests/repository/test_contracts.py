"""Contracts: edges between parts that do not import each other, exact after every edit on either side."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from edits import Edited, edited

from rpg.encoder.options import Options
from rpg.repository import encode, index_path
from rpg.stores.index import stored_graph
from rpg.stores.index.index import Index

SERVER = """from flask import Blueprint, Flask

app = Flask(__name__)
users = Blueprint("users", __name__, url_prefix="/users")


@users.route("/<int:user_id>")
def show(user_id):
    return {}


@users.route("/me", methods=["POST"])
def me():
    return {}


app.register_blueprint(users)
"""
CONFIG = 'BASE = "http://localhost:5000"\nTIMEOUT = 3\n'
CLIENT = """import requests
from config import BASE


def load(number):
    return requests.get(f"{BASE}/users/{number}", timeout=1)


def change():
    return requests.post(f"{BASE}/users/me", timeout=1)
"""
OTHER = "def total(x):\n    return x\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "repo").mkdir()
    for name, text in (("server.py", SERVER), ("config.py", CONFIG), ("client.py", CLIENT), ("other.py", OTHER)):
        (tmp_path / "repo" / name).write_text(text)
    return tmp_path


def crossings(graph: Path) -> list[tuple[str, str, str]]:
    index = Index.open_read_only(index_path(graph))
    try:
        return [(each.source, each.target, each.via) for each in stored_graph.edges(index) if "crossing" in each.via]
    finally:
        index.close()


LOADS = ("client.py::load", "server.py::show", "crossing")
CHANGES = ("client.py::change", "server.py::me", "crossing")


def after(edit: Edited) -> list[tuple[str, str, str]]:
    return crossings(edit.after)


@pytest.mark.invariant("edges", "after an edit of either side, the edges are those of a clean encode")
@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("other.py", "return x", "return x + 1", [LOADS, CHANGES]),
        ("server.py", "/me", "/myself", [LOADS]),
        ("server.py", '"POST"', '"PUT"', [LOADS]),
        ("server.py", 'url_prefix="/users"', 'url_prefix="/people"', []),
        ("server.py", "def show", "def shown", [("client.py::load", "server.py::shown", "crossing"), CHANGES]),
        ("server.py", "app.register_blueprint(users)", "app.register_blueprint(users, url_prefix='/v2')", []),
        ("server.py", "\n\n@users", "\n# moved\n\n@users", [LOADS, CHANGES]),
        ("client.py", "/users/me", "/users/you", [LOADS]),
        ("client.py", "requests.get", "requests.delete", [CHANGES]),
        ("config.py", "localhost:5000", "api.example.com", []),
        ("config.py", "TIMEOUT = 3", "TIMEOUT = 4", [LOADS, CHANGES]),
        ("config.py", '"http://localhost:5000"', 'make_address("http://localhost")',
         [(*LOADS[:2], "possible-crossing"), (*CHANGES[:2], "possible-crossing")]),
    ],
)  # fmt: skip
def test_an_edit_changes_the_edges_of_the_other_side(
    folder: Path, path: str, old: str, new: str, expected: list[tuple[str, str, str]]
) -> None:
    edit = edited(folder, path, old, new)

    assert sorted(after(edit)) == sorted(expected)


def test_only_the_edited_file_is_resolved_again(folder: Path) -> None:
    assert edited(folder, "server.py", "/me", "/myself").is_alone


WORKER = """from celery import shared_task
from kafka import KafkaConsumer
from names import ORDERS


@shared_task(name="billing.charge")
def charge(order):
    return order


def follow():
    return KafkaConsumer(ORDERS)
"""
NAMES = 'ORDERS = "orders"\nTIMEOUT = 3\n'
SHOP = """def place(app, producer):
    app.send_task("billing.charge")
    producer.send("orders", topic="orders")


def pay(channel, producer):
    producer.send_task("billing.refund")
"""
CHARGES = ("shop.py::place", "worker.py::charge", "crossing")
FOLLOWS = ("shop.py::place", "worker.py::follow", "crossing")


@pytest.fixture
def messages(tmp_path: Path) -> Path:
    (tmp_path / "repo").mkdir()
    shop = f"import kafka\n\n\n{SHOP}"
    for name, text in (("worker.py", WORKER), ("names.py", NAMES), ("shop.py", shop), ("other.py", OTHER)):
        (tmp_path / "repo" / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("other.py", "return x", "return x + 1", [CHARGES, FOLLOWS]),
        ("names.py", '"orders"', '"orders.v2"', [CHARGES]),
        ("names.py", "TIMEOUT = 3", "TIMEOUT = 4", [CHARGES, FOLLOWS]),
        ("worker.py", "billing.charge", "billing.charged", [FOLLOWS]),
        ("worker.py", "def charge", "def charged", [(CHARGES[0], "worker.py::charged", "crossing"), FOLLOWS]),
        ("worker.py", "@shared_task", "@shared", [FOLLOWS]),
        ("worker.py", "KafkaConsumer(ORDERS)", "KafkaConsumer(make())", [CHARGES]),
        ("shop.py", '"orders", topic="orders"', '"order", topic="order"', [CHARGES]),
        ("shop.py", "billing.refund", "billing.charge", [CHARGES, FOLLOWS]),
        ("shop.py", "producer.send_task(", "celery_app.send_task('billing.charge' or ", [
            CHARGES, FOLLOWS, ("shop.py::pay", "worker.py::charge", "crossing")]),
    ],
)  # fmt: skip
def test_an_edit_changes_who_takes_what_is_sent(
    messages: Path, path: str, old: str, new: str, expected: list[tuple[str, str, str]]
) -> None:
    edit = edited(messages, path, old, new)

    assert sorted(after(edit)) == sorted(expected)


COMPOSE = """services:
  shop:
    build: ./shop
    environment:
      MAIL_HOST: mail
      MAIL_PORT: ${PORT}
  other:
    build: ./other
    environment:
      - MAIL_HOST
"""
READER = """import os
from name import PORT


def host():
    return os.environ["MAIL_HOST"]


def port():
    return os.getenv(PORT)
"""
HOSTS = ("shop/read.py::host", "docker-compose.yml::services.shop", "crossing")
PORTS = ("shop/read.py::port", "docker-compose.yml::services.shop", "crossing")
FILLS = ("docker-compose.yml::services.shop", ".env.example", "crossing")
OTHERS = "docker-compose.yml::services.other"


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    (tmp_path / "repo" / "shop").mkdir(parents=True)
    for name, text in (
        ("docker-compose.yml", COMPOSE), (".env.example", "PORT=25\n# HOST=1\n"), ("shop/read.py", READER),
        ("shop/name.py", 'PORT = "MAIL_PORT"\nTIMEOUT = 3\n'), ("other.py", OTHER),
    ):  # fmt: skip
        (tmp_path / "repo" / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("other.py", "return x", "return x + 1", [HOSTS, PORTS, FILLS]),
        ("shop/name.py", '"MAIL_PORT"', '"PORT"', [HOSTS, (PORTS[0], ".env.example", "crossing"), FILLS]),
        ("shop/name.py", "TIMEOUT = 3", "TIMEOUT = 4", [HOSTS, PORTS, FILLS]),
        ("shop/read.py", "MAIL_HOST", "MAIL_NAME", [PORTS, FILLS]),
        ("shop/read.py", "def host", "def hosts", [("shop/read.py::hosts", *HOSTS[1:]), PORTS, FILLS]),
        ("docker-compose.yml", "MAIL_HOST: mail", "MAIL_NAME: mail", [
            (HOSTS[0], OTHERS, "possible-crossing"), PORTS, FILLS]),
        ("docker-compose.yml", "build: ./shop", "build: ./shops", [
            (*HOSTS[:2], "possible-crossing"), (HOSTS[0], OTHERS, "possible-crossing"),
            (*PORTS[:2], "possible-crossing"), FILLS]),
        (".env.example", "PORT=25", "PORT=26", [HOSTS, PORTS, FILLS]),
        (".env.example", "PORT=25", "PORTS=25", [HOSTS, PORTS]),
        (".env.example", "PORT=25", "# PORT=25", [HOSTS, PORTS, (*FILLS[:2], "possible-crossing")]),
    ],
)  # fmt: skip
def test_an_edit_changes_what_sets_a_variable(
    settings: Path, path: str, old: str, new: str, expected: list[tuple[str, str, str]]
) -> None:
    edit = edited(settings, path, old, new)

    assert sorted(after(edit)) == sorted(expected)


def test_a_file_of_settings_is_encoded_alone(settings: Path) -> None:
    assert edited(settings, ".env.example", "PORT=25", "PORTS=25").is_alone


QUERY = """def load(connection):
    return connection.execute("SELECT email FROM users")
"""
TABLES = "CREATE TABLE users (\n  id INTEGER,\n  email TEXT\n);\n"
MODEL = """from sqlalchemy import Column


class User(Base):
    __tablename__ = "users"
    email = Column("email")
"""
SELECTS = [("query.py::load", f"schema.sql::{each}", "crossing") for each in ("users", "users.email")]
MAPS = [("model.py::User", f"schema.sql::{each}", "crossing") for each in ("users", "users.email")]
OF_MODEL = [("query.py::load", f"model.py::{each}", "crossing") for each in ("User", "User.email")]


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    (tmp_path / "repo").mkdir()
    for name, text in (("schema.sql", TABLES), ("query.py", QUERY), ("model.py", MODEL), ("other.py", OTHER)):
        (tmp_path / "repo" / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("other.py", "return x", "return x + 1", [*SELECTS, *MAPS, *OF_MODEL]),
        ("schema.sql", "email", "mail", [SELECTS[0], *OF_MODEL, MAPS[0]]),
        ("schema.sql", "TABLE users", "TABLE people", OF_MODEL),
        ("query.py", "email", "id",
         [SELECTS[0], ("query.py::load", "schema.sql::users.id", "crossing"), *MAPS, OF_MODEL[0]]),
        ("query.py", "SELECT", "Select one of", MAPS),
        ("model.py", '"users"', '"people"', SELECTS),
        ("model.py", 'Column("email")', 'Column("mail")', [*SELECTS, MAPS[0], OF_MODEL[0]]),
    ],
)  # fmt: skip
def test_an_edit_changes_the_table_that_is_meant(
    tables: Path, path: str, old: str, new: str, expected: list[tuple[str, str, str]]
) -> None:
    edit = edited(tables, path, old, new)

    assert sorted(after(edit)) == sorted(expected)


PIECES = {
    "server.py": [
        "from flask import Blueprint, Flask\n\napp = Flask(__name__)\n",
        "from config import BASE, PART\n",
        "users = Blueprint('users', __name__, url_prefix='/users')\napp.register_blueprint(users, url_prefix=PART)\n",
        "@app.route('/users/<int:number>')\ndef show(number):\n    return {}\n",
        "@app.post('/users')\ndef create():\n    return {}\n",
        "@app.route(PART + '/<name>', methods=['PUT', 'POST'])\ndef change(name):\n    return {}\n",
    ],
    "more.py": [
        "from server import app, users\n",
        "@users.get('/<number>')\ndef show(number):\n    return {}\n",
        "@app.get('/users/me')\ndef me():\n    return {}\n",
    ],
    "config.py": [
        "BASE = 'http://localhost'\nPART = '/people'\n",
        "BASE = 'https://example.com'\nPART = '/users'\n",
        "BASE = make()\n",
    ],
    "client.py": [
        "import requests\nfrom config import BASE, PART\n",
        "def load(number):\n    return requests.get(f'{BASE}/users/{number}')\n",
        "def change():\n    return requests.put(BASE + PART + '/me')\n",
        "def create():\n    return requests.post('http://localhost/users')\n",
    ],
    "worker.py": [
        "from celery import shared_task\nimport kafka\n",
        "from config import BASE, PART\n",
        "@shared_task\ndef ship(order):\n    return order\n",
        "def follow():\n    return kafka.KafkaConsumer(PART)\n",
        "@shared_task(name='billing.charge')\ndef charge(order):\n    return order\n",
    ],
    "sender.py": [
        "import kafka\nfrom config import PART\n",
        "def place(app):\n    app.send_task('worker.ship')\n    app.send_task('billing.charge')\n",
        "def tell(producer):\n    producer.send('/users', 1)\n    producer.send(PART, 1)\n",
    ],
    "cart.proto": [
        "syntax = 'proto3';\npackage shop;\nmessage Item {\n}\n",
        "service CartService {\n  rpc AddItem(Item) returns (Item) {}\n  rpc Clear(Item) returns (Item) {}\n}\n",
        "service MailService {\n  rpc Send(Item) returns (Item) {}\n}\n",
    ],
    "cart.py": [
        "import cart_pb2_grpc\n",
        "class Cart(cart_pb2_grpc.CartServiceServicer):\n    def AddItem(self, item, context):\n        return item\n",
        "def add(channel):\n    return cart_pb2_grpc.CartServiceStub(channel).AddItem(1)\n",
        "def send(stub):\n    return stub.Send(1)\n",
    ],
    "main.go": [
        'package main\n\nimport pb "example.com/genproto"\n',
        "type mail struct {\n\tpb.UnimplementedMailServiceServer\n}\n",
        "func call(c int) {\n\tpb.NewMailServiceClient(c).Send(nil, nil)\n}\n",
    ],
    "send.go": [
        'package main\n\nimport (\n\t"context"\n\tpb "example.com/genproto"\n)\n\n\n'
        "func (m *mail) Send(ctx context.Context, in *pb.Item) (*pb.Item, error) {\n\treturn nil, nil\n}\n",
    ],
    "compose.yml": [
        "services:\n  web:\n    build: web\n    env_file: .env.example\n",
        "    environment:\n      WEB_PORT: ${PORT}\n      KEY: 1\n",
        "  job:\n    build: job\n    environment:\n      - WEB_PORT=1\n",
    ],
    ".env.example": ["# nothing\n", "PORT=1\nKEY=2\n", "#WEB_PORT=3\n"],
    "web/port.py": [
        "import os\nfrom names import KEY\n",
        "def number(name):\n    return os.environ[name]\n",
        "def port():\n    return os.getenv('WEB_PORT'), number('PORT')\n",
        "def key():\n    return os.environ[KEY]\n",
    ],
    "web/names.py": ["KEY = 'KEY'\n", "KEY = make()\n"],
    "schema.sql": [
        "-- tables\n",
        "CREATE TABLE users (id INTEGER, email TEXT);\n",
        "CREATE TABLE jobs (id INTEGER);\n",
    ],
    "query.py": [
        "from sqlalchemy import Column\n",
        "def load(db):\n    return db.execute('SELECT email FROM users')\n",
        "def both(db):\n    return db.execute('SELECT j.id FROM jobs j JOIN users ON users.id = j.id')\n",
        "class User:\n    __tablename__ = 'users'\n    email = Column('email')\n",
    ],
    "calls.ts": [
        "import axios from 'axios';\nexport const api = axios.create({ baseURL: '/users' });\n",
        "export function load(id) { return api.get(`/${id}`); }\n",
        "export const create = () => fetch('/users', { method: 'POST' });\n",
    ],
}


@pytest.mark.invariant("edges", "after any edits, the edges are those of a clean encode")
@pytest.mark.parametrize("seed", range(8))
def test_any_edits_leave_the_edges_of_a_clean_encode(tmp_path: Path, seed: int) -> None:
    drawn = random.Random(seed)
    root, graph, clean = tmp_path / "repo", tmp_path / "kept.graph.json", tmp_path / "clean.graph.json"
    (root / "web").mkdir(parents=True)
    chosen = {name: {0, *drawn.sample(range(len(pieces)), len(pieces) - 1)} for name, pieces in PIECES.items()}
    drew: set[int] = set()
    for _ in range(14):
        name = drawn.choice(list(PIECES))
        chosen[name] ^= {drawn.randrange(len(PIECES[name]))}
        for each, numbers in chosen.items():
            (root / each).write_text("\n\n".join(PIECES[each][number] for number in sorted(numbers)))
        encode(root, graph, Options())
        encode(root, clean, Options(), full=True)
        assert graph.read_bytes() == clean.read_bytes()
        drew.add(len(crossings(graph)))

    assert len(drew) > 1


SCHEMA = """type Query {
  user: User
}

type User {
  email: String
}
"""
RESOLVERS = """export const resolvers = {
  Query: {
    user: () => null,
  },
};
"""
DOCUMENT = "export const USER = gql`query { user { email } }`;\n"
SELECTED = [("client.ts::USER", f"schema.graphql::{each}", "crossing") for each in ("Query.user", "User.email")]
RUNS = ("client.ts::USER", "resolvers.ts::resolvers.Query.user", "crossing")
RESOLVES = ("resolvers.ts::resolvers.Query.user", "schema.graphql::Query.user", "crossing")


@pytest.fixture
def graphql(tmp_path: Path) -> Path:
    (tmp_path / "repo").mkdir()
    for name, text in (
        ("schema.graphql", SCHEMA), ("resolvers.ts", RESOLVERS), ("client.ts", DOCUMENT), ("other.py", OTHER),
    ):  # fmt: skip
        (tmp_path / "repo" / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("other.py", "return x", "return x + 1", [*SELECTED, RUNS, RESOLVES]),
        ("schema.graphql", "email", "mail", [SELECTED[0], RUNS, RESOLVES]),
        ("schema.graphql", "user: User", "user: Person", [SELECTED[0], RUNS, RESOLVES]),
        ("schema.graphql", "user: User", "person: User", [RUNS]),
        ("resolvers.ts", "user:", "person:", SELECTED),
        ("client.ts", "{ user", "{ person", [RESOLVES]),
        ("client.ts", "{ user", "{ someone: user", [*SELECTED, RUNS, RESOLVES]),
        ("client.ts", "query {", "mutation {", [RESOLVES]),
    ],
)  # fmt: skip
def test_an_edit_changes_what_a_document_selects(
    graphql: Path, path: str, old: str, new: str, expected: list[tuple[str, str, str]]
) -> None:
    edit = edited(graphql, path, old, new)

    assert sorted(after(edit)) == sorted(expected)


ROUTES = """<?php

use Illuminate\\Support\\Facades\\Route;

Route::prefix('carts')->group(function () {
    Route::get('{id}', 'CartController@show');
});
"""
PROVIDER = """<?php

use Illuminate\\Support\\Facades\\Route;

Route::prefix('api')->group(base_path('routes/api.php'));
"""
CONTROLLER = "<?php\n\nclass CartController\n{\n    public function show($id)\n    {\n    }\n}\n"
OF_CARTS = "app/Http/Controllers/CartController.php"
SHOWS = ("client.js::show", f"{OF_CARTS}::CartController.show", "crossing")


@pytest.fixture
def laravel(tmp_path: Path) -> Path:
    for name, text in (
        ("routes/api.php", ROUTES), ("app/Providers/RouteServiceProvider.php", PROVIDER), (OF_CARTS, CONTROLLER),
        ("client.js", "export function show(id) {\n  return fetch(`/api/carts/${id}`);\n}\n"), ("other.py", OTHER),
    ):  # fmt: skip
        (tmp_path / "repo" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "repo" / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("other.py", "return x", "return x + 1", [SHOWS]),
        ("routes/api.php", "prefix('carts')", "prefix('baskets')", []),
        ("routes/api.php", "Route::get", "Route::post", []),
        ("routes/api.php", "@show", "@list", [(SHOWS[0], "routes/api.php", "crossing")]),
        ("app/Providers/RouteServiceProvider.php", "'api'", "'v2'", []),
        (OF_CARTS, "function show", "function shown", [(SHOWS[0], "routes/api.php", "crossing")]),
        (OF_CARTS, "show($id)\n    {", "show($id)\n    {\n        return 1;", [SHOWS]),
        ("client.js", "/api/carts", "/api/orders", []),
    ],
)  # fmt: skip
def test_an_edit_changes_what_a_route_named_in_text_serves(
    laravel: Path, path: str, old: str, new: str, expected: list[tuple[str, str, str]]
) -> None:
    edit = edited(laravel, path, old, new)

    assert sorted(after(edit)) == sorted(expected)
