"""Words of files that have a part of a GraphQL schema, its resolvers or its documents; how fields are called in rows.

In: facts. Out: whether a file has one. A field is called alike however a language spells it: `Query.user_name` and
`query.userName` are one.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import FileFacts

FIELD: Final = "graphql"
"""The space of types and fields."""
RESOLVER: Final = "graphql resolver"
"""The space of what resolves a field."""
DOCUMENT: Final = "graphql document"
"""The space of what a document selects: the names of fields from a type down, `query/user/email`."""
ROOTS: Final = ("query", "mutation", "subscription")
_WORDS: Final = frozenset(
    "gql graphql graphene strawberry ariadne QueryType MutationType ObjectType InputType QueryMapping MutationMapping"
    " SubscriptionMapping SchemaMapping BatchMapping DgsQuery DgsMutation DgsSubscription DgsData Resolver ResolveField"
    " FieldResolver buildSchema makeExecutableSchema typeDefs resolvers ExtendObjectType AddGraphQLServer GraphQLClient"
    " ApolloClient GraphQLQueryResolver GraphQLMutationResolver GraphQLResolver GraphQL BaseObject BaseMutation"
    " queryResolver mutationResolver subscriptionResolver HttpGraphQlClient GraphQlTester GraphQLRequest".split()
)
_PATH: Final = re.compile(r"(?i)graphql|gql|resolver|schema\.\w+$")


def may_query(facts: FileFacts) -> bool:
    return facts.language == "graphql" or not _WORDS.isdisjoint(facts.strings) or _PATH.search(facts.path) is not None


def plain(name: str) -> str:
    return name.replace("_", "").lower()


def key_of(type: str, field: str) -> str:
    return f"{plain(type)}.{plain(field)}"
