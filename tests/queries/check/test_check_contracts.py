"""`check` names the requests that an edited route served before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from checking import Checked

SERVER = """from flask import Flask
from config import PART

app = Flask(__name__)


@app.route("/users/<int:user_id>")
def show(user_id):
    return {}


@app.route(PART + "/me", methods=["POST"])
def me():
    return {}
"""
CLIENT = """import requests


def load(number):
    return requests.get(f"http://localhost/users/{number}")


def change():
    return requests.post("http://localhost/users/me")
"""
FILES = {"server.py": SERVER, "config.py": 'PART = "/users"\n', "client.py": CLIENT}
LOADS = "client.py:5 contract: `GET /users/<int:user_id>` is served no more: it was server.py::show"
CHANGES = "client.py:9 contract: `POST /users/me` is served no more: it was server.py::me"


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    found = Checked(tmp_path_factory.mktemp("contracts"), FILES)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("server.py", "/users/<int:user_id>", "/people/<int:user_id>", [LOADS]),
        ("server.py", '["POST"]', '["PUT"]', [CHANGES]),
        ("server.py", '@app.route("/users/<int:user_id>")\n', "", [LOADS]),
        ("config.py", '"/users"', '"/people"', [CHANGES]),
        ("server.py", "def show(user_id)", "def shown(user_id)", []),
        ("server.py", "<int:user_id>", "<user_id>", []),
        ("server.py", "return {}", "return {1: 2}", []),
        ("client.py", "/users/me", "/users/you", []),
    ],
)
def test_requests_that_a_route_served_before_are_told(
    checked: Checked, path: str, old: str, new: str, expected: list[str]
) -> None:
    assert checked.broken(checked.changed(path, old, new)) == expected


def test_a_deleted_file_of_routes_names_all_that_are_sent_there(checked: Checked) -> None:
    assert {LOADS, CHANGES} <= set(checked.broken({"server.py": None}))


def test_a_route_that_another_handler_serves_now_is_not_broken(checked: Checked) -> None:
    edited = SERVER.replace('@app.route("/users/<int:user_id>")', "")
    edited += '\n\n@app.route("/users/<name>")\ndef by_name(name):\n    return {}\n'

    assert checked.broken({"server.py": edited}) == []


WORKER = """from celery import shared_task
from kafka import KafkaConsumer
from names import ORDERS


@shared_task(name="billing.charge")
def charge(order):
    return order


def follow():
    return KafkaConsumer(ORDERS)
"""
SHOP = """import kafka


def place(app, producer):
    app.send_task("billing.charge")
    producer.send("orders")
    producer.send("unheard")
"""
MESSAGES = {"worker.py": WORKER, "names.py": 'ORDERS = "orders"\n', "shop.py": SHOP}
CHARGES = "shop.py:5 contract: `billing.charge` is handled no more: it was worker.py::charge"
FOLLOWS = "shop.py:6 contract: `orders` is handled no more: it was worker.py::follow"


@pytest.fixture(scope="module")
def sending(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    found = Checked(tmp_path_factory.mktemp("messages"), MESSAGES)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("worker.py", "billing.charge", "billing.charged", [CHARGES]),
        ("names.py", '"orders"', '"orders.v2"', [FOLLOWS]),
        ("worker.py", "KafkaConsumer(ORDERS)", "ORDERS", [FOLLOWS]),
        ("worker.py", "def charge", "def charged", []),
        ("worker.py", "return order", "return [order]", []),
        (
            "shop.py",
            '"orders"',
            '"order"',
            ["shop.py:6 contract: `order` is handled by nothing: it was worker.py::follow"],
        ),
        ("shop.py", '"unheard"', '"unseen"', []),
        ("shop.py", '    producer.send("orders")\n', "", []),
    ],
)
def test_what_is_sent_that_was_taken_before_is_told(
    sending: Checked, path: str, old: str, new: str, expected: list[str]
) -> None:
    assert sending.broken(sending.changed(path, old, new)) == expected


def test_a_deleted_file_of_tasks_names_all_that_is_sent_there(sending: Checked) -> None:
    told = sending.broken({"worker.py": None})

    assert FOLLOWS in told
    assert any(each.startswith("shop.py:5 ") for each in told)


PROTO = """syntax = "proto3";
service CartService {
  rpc AddItem(Item) returns (Item) {}
}
message Item {
}
"""
CART = """import cart_pb2_grpc


class Cart(cart_pb2_grpc.CartServiceServicer):
    def AddItem(self, item, context):
        return item
"""
CALLER = """import cart_pb2_grpc


def add(channel, item):
    return cart_pb2_grpc.CartServiceStub(channel).AddItem(item)
"""
REMOTE = {"cart.proto": PROTO, "cart.py": CART, "caller.py": CALLER}
DECLARED = "contract: `CartService.AddItem` is declared no more: it was cart.proto::CartService.AddItem"


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    found = Checked(tmp_path_factory.mktemp("remote"), REMOTE)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("cart.proto", "AddItem", "PutItem", [f"caller.py:5 {DECLARED}", f"cart.py:5 {DECLARED}"]),
        ("cart.proto", "CartService", "BasketService", [f"caller.py:5 {DECLARED}", f"cart.py:5 {DECLARED}"]),
        ("cart.py", "AddItem", "PutItem", [
            "caller.py:5 contract: `Cart.AddItem` is served no more: it was cart.py::Cart.AddItem"]),
        ("cart.proto", "message Item {", "message Item {\n  string id = 1;", []),
        ("cart.py", "return item", "return [item]", []),
    ],
)  # fmt: skip
def test_methods_that_are_declared_or_served_no_more_are_told_where_they_are_called(
    remote: Checked, path: str, old: str, new: str, expected: list[str]
) -> None:
    told = remote.broken(remote.changed(path, old, new))

    assert sorted(each for each in told if "contract" in each) == sorted(expected)


COMPOSE = """services:
  shop:
    build: shop
    environment:
      MAIL_HOST: mail
      PORT: ${SHOP_PORT}
"""
READER = """import os


def host():
    return os.environ["MAIL_HOST"]


def port():
    return os.environ["SHOP_PORT"]
"""
SETTINGS = {
    "docker-compose.yml": COMPOSE,
    ".env.example": "SHOP_PORT=80\nLOG_LEVEL=1\n",
    "shop/read.py": READER,
}
HOST = "contract: `MAIL_HOST` is set no more: it was docker-compose.yml::services.shop"
PORT = "contract: `SHOP_PORT` is set no more: it was .env.example"


@pytest.fixture(scope="module")
def configured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    found = Checked(tmp_path_factory.mktemp("settings"), SETTINGS)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("docker-compose.yml", "MAIL_HOST", "MAIL_NAME", [f"shop/read.py:5 {HOST}"]),
        (".env.example", "SHOP_PORT", "PORT", [f"docker-compose.yml:6 {PORT}", f"shop/read.py:9 {PORT}"]),
        (".env.example", "LOG_LEVEL=1\n", "", []),
        (".env.example", "SHOP_PORT=80", "SHOP_PORT=81", []),
        (".env.example", "SHOP_PORT=80", "# SHOP_PORT=80", []),
        ("shop/read.py", "MAIL_HOST", "MAIL_NAME", [
            "shop/read.py:5 contract: `MAIL_NAME` is set by nothing: it was docker-compose.yml::services.shop"]),
        ("shop/read.py", "def host", "def hosts", []),
    ],
)  # fmt: skip
def test_readings_of_what_was_set_before_are_told(
    configured: Checked, path: str, old: str, new: str, expected: list[str]
) -> None:
    assert configured.broken(configured.changed(path, old, new)) == expected


def test_a_deleted_file_of_settings_names_what_read_it(configured: Checked) -> None:
    told = configured.broken({".env.example": None})

    assert [each for each in told if "contract" in each] == [f"docker-compose.yml:6 {PORT}", f"shop/read.py:9 {PORT}"]


QUERY = """def load(connection):
    return connection.execute("SELECT email FROM users")
"""
STORED = {"schema.sql": "CREATE TABLE users (\n  id INTEGER,\n  email TEXT\n);\n", "query.py": QUERY}
USERS = "query.py:2 contract: `users` is declared no more: it was schema.sql::users"
EMAIL = "query.py:2 contract: `users.email` is declared no more: it was schema.sql::users.email"


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    found = Checked(tmp_path_factory.mktemp("tables"), STORED)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("schema.sql", "  email TEXT", "  mail TEXT", [EMAIL]),
        ("schema.sql", "TABLE users", "TABLE people", [EMAIL, USERS]),
        ("schema.sql", "id INTEGER", "id BIGINT", []),
        ("query.py", "email", "mail", [
            "query.py:2 contract: `users.mail` is declared by nothing: it was schema.sql::users.email"]),
        ("query.py", "email", "id", []),
    ],
)  # fmt: skip
def test_statements_that_name_what_was_declared_before_are_told(
    stored: Checked, path: str, old: str, new: str, expected: list[str]
) -> None:
    assert sorted(stored.broken(stored.changed(path, old, new))) == sorted(expected)


GRAPHQL = {
    "schema.graphql": "type Query {\n  user: User\n}\n\ntype User {\n  email: String\n}\n",
    "resolvers.ts": "export const resolvers = {\n  Query: {\n    user: () => null,\n  },\n};\n",
    "client.ts": "export const USER = gql`query { user { email } }`;\n",
}
SELECTED = "client.ts:1 contract: `query.user` is declared no more: it was schema.graphql::Query.user"
RESOLVED = "resolvers.ts:3 contract: `query.user` is declared no more: it was schema.graphql::Query.user"
OF_USER = "client.ts:1 contract: `user.email` is declared no more: it was schema.graphql::User.email"


@pytest.fixture(scope="module")
def selected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    found = Checked(tmp_path_factory.mktemp("graphql"), GRAPHQL)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("schema.graphql", "email", "mail", [OF_USER]),
        ("schema.graphql", "  user: User", "  person: User", [SELECTED, RESOLVED]),
        ("schema.graphql", "user: User", "user(id: ID): User!", []),
        ("resolvers.ts", "    user: () => null,\n", "", [
            "client.ts:1 contract: `query.user` is resolved no more: it was resolvers.ts::resolvers.Query.user"]),
        ("client.ts", "email", "id", [
            "client.ts:1 contract: `user.id` is declared by nothing: it was schema.graphql::User.email"]),
    ],
)  # fmt: skip
def test_documents_and_resolvers_of_what_a_schema_declared_before_are_told(
    selected: Checked, path: str, old: str, new: str, expected: list[str]
) -> None:
    assert sorted(selected.broken(selected.changed(path, old, new))) == sorted(expected)


NAMED = {
    "schema.sql": "CREATE TABLE users (\n  email TEXT\n);\n",
    "model.py": (
        'from sqlalchemy import Column\n\n\nclass User:\n    __tablename__ = "users"\n    email = Column("email")\n'
    ),
    "query.py": QUERY,
    "locales/en/site.json": '{\n  "help": {"title": "Help"},\n  "back": "Back"\n}\n',
    "page.ts": "import i18n from 'i18next';\n\nexport const title = () => i18n.t('help.title');\n",
    "lib/tasks/users.rake": "namespace :users do\n  task :sync do\n  end\nend\n",
    "deploy.sh": "#!/bin/bash\nrake users:sync\n",
}
TITLE = "page.ts:3 contract: `help.title` is set no more: it was locales/en/site.json"


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    found = Checked(tmp_path_factory.mktemp("named"), NAMED)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("locales/en/site.json", '"title"', '"heading"', [TITLE]),
        ("locales/en/site.json", '"back"', '"forth"', []),
        ("lib/tasks/users.rake", ":sync", ":synced", [
            "deploy.sh:2 contract: `rake users:sync` is defined no more: it was lib/tasks/users.rake"]),
        ("schema.sql", "email", "mail", [
            "model.py:6 contract: `users.email` is declared no more: it was schema.sql::users.email",
            "query.py:2 contract: `users.email` is declared no more in schema.sql: it was schema.sql::users.email?",
        ]),
    ],
)  # fmt: skip
def test_texts_and_what_one_of_several_files_declared_are_told(
    named: Checked, path: str, old: str, new: str, expected: list[str]
) -> None:
    assert sorted(named.broken(named.changed(path, old, new))) == sorted(expected)
