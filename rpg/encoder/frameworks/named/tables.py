"""Libraries of messages, jobs and events: what sends by a name or a type, and what handles it.

In: nothing. Out: tables. To add a library, add a row. Names of one space are asked for by senders of that space alone.
Receivers are named as `Source.names` gives them: `KafkaProducer()` is an instance of what is called so.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from rpg.encoder.facts import FileFacts

By = Literal["text", "type", "class", "symbol", "argument", "queue"]
"""What says who is meant: a text; the class of an object; the class, or the symbol, that the method is called on; a
symbol that is passed; the text that the receiver was made with."""


class Sending(NamedTuple):
    library: str
    space: str
    languages: frozenset[str]
    members: frozenset[str]
    by: By = "text"
    packages: tuple[str, ...] = ()
    """What a file imports that sends so; empty: anything."""
    receivers: str = ""
    """Receivers, by a pattern for their names or what made them; empty: any."""
    position: int = 0
    keywords: tuple[str, ...] = ()
    """Of the argument that says the name; an object of options or a literal may have them too."""
    least: int = 1
    """The fewest positional arguments."""
    unless: int = -1
    """The position of an argument that must be an empty text."""


class Calling(NamedTuple):
    """A call that registers who takes."""

    library: str
    space: str
    languages: frozenset[str]
    members: frozenset[str]
    by: By = "text"
    packages: tuple[str, ...] = ()
    receivers: str = ""
    position: int = 0
    keywords: tuple[str, ...] = ()
    handler: int = -1
    """The position of who takes; -1: the function that makes the call."""
    handler_keywords: tuple[str, ...] = ()


class Marking(NamedTuple):
    """An annotation or decorator of who takes."""

    library: str
    space: str
    languages: frozenset[str]
    words: frozenset[str]
    by: Literal["text", "type", "own", "symbol", "parameter"]
    """`parameter`: the type of the first parameter; `own`: the name of the function, with that of its module."""
    packages: tuple[str, ...] = ()
    heads: str = ""
    """A pattern for what stands in front of the word."""
    keywords: tuple[str, ...] = ()
    method: tuple[str, ...] = ()
    """On a class: its method that takes."""
    of_class: str = ""
    """The annotation that its class must have."""
    sends: bool = False
    """Whether calls of what is marked are sent."""


class Deriving(NamedTuple):
    """A class whose bases say what its method takes."""

    library: str
    space: str
    languages: frozenset[str]
    pattern: re.Pattern[str]
    """Of the head of a class; its group is the type. Without a group, the class itself is asked for."""
    methods: tuple[str, ...]


class Literal_(NamedTuple):
    """A literal of a structure with a field that says the name."""

    library: str
    space: str
    languages: frozenset[str]
    pattern: re.Pattern[str]
    """Up to the bracket that opens it."""
    keywords: tuple[str, ...]
    packages: tuple[str, ...]
    is_sent: bool


LISTENER: Final = "listener"
"""The space of classes that a list names, whose methods take."""
EVENT_BUS: Final = "event bus"
"""What takes the messages of other programs, each with a type of that name of its own."""
MADE: Final = "made"
"""The space of messages that are made, by whom is not said where they are sent."""
_PYTHON: Final = frozenset({"python"})
_SCRIPT: Final = frozenset({"javascript", "typescript", "tsx", "vue", "svelte", "astro"})
_JVM: Final = frozenset({"java", "kotlin", "scala", "groovy"})
_CSHARP: Final = frozenset({"csharp"})
_GO: Final = frozenset({"go"})
_PHP: Final = frozenset({"php"})
_RUBY: Final = frozenset({"ruby"})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KAFKA_PYTHON: Final = ("kafka", "confluent_kafka", "aiokafka", "faust", "faststream")
_REDIS: Final = ("redis", "aioredis", "ioredis", "github.com/redis/go-redis", "github.com/go-redis/redis")
_NATS: Final = ("nats", "github.com/nats-io")
_AMQP_GO: Final = ("github.com/rabbitmq/amqp091-go", "github.com/streadway/amqp")
_KAFKA_GO: Final = ("github.com/segmentio/kafka-go", "github.com/IBM/sarama", "github.com/Shopify/sarama",
                    "github.com/confluentinc/confluent-kafka-go")  # fmt: skip
_KAFKA_MICRONAUT: Final = ("io.micronaut.configuration.kafka",)
_AMQP_MICRONAUT: Final = ("io.micronaut.rabbitmq", "io.micronaut.configuration.rabbitmq")
_CHANNELS: Final = ("org.eclipse.microprofile.reactive.messaging", "io.smallrye.reactive.messaging")
_SQS: Final = ("boto3", "aioboto3", "@aws-sdk/client-sqs", "aws-sdk", "@aws-sdk/client-sns")
_SOCKETS: Final = ("flask_socketio", "socketio", "fastapi_socketio")
_SOCKET: Final = (
    r"(?i)(?:^|[.@/])(?:io|nsp|namespace|\w*socket\w*)(?:\(\)|\.\w+(?:\(\))?)*$|^current$"
    r"|^(?:this\.)?_?server$|broadcast$"
)
"""What both sides of Socket.IO call it."""
_HUB: Final = r"(?i)connection|hub"
_STOMP: Final = r"(?i)stomp|client|^ws"
_EVENTUATE: Final = ("io.eventuate",)
_ILLUMINATE: Final = ("Illuminate",)

SENDINGS: Final = (
    Sending("Celery", "celery", _PYTHON, _words("send_task"), keywords=("name", "task"),
            receivers=r"(?i)celery|app$"),
    Sending("Dramatiq", "dramatiq", _PYTHON, _words("send send_with_options message message_with_options"), "symbol"),
    Sending("RQ", "function", _PYTHON, _words("enqueue enqueue_call"), "argument",
            ("rq", "django_rq", "redis"), keywords=("func", "f")),
    Sending("Kafka", "kafka", _PYTHON, _words("send send_and_wait produce publish"), packages=_KAFKA_PYTHON,
            receivers=r"(?i)producer|broker|kafka", keywords=("topic",)),
    Sending("RabbitMQ", "amqp", _PYTHON, _words("basic_publish"), keywords=("routing_key",), position=1),
    Sending("Redis", "redis", _PYTHON | _SCRIPT, _words("publish"), packages=_REDIS, least=2),
    Sending("Redis", "redis", _GO, _words("Publish"), packages=_REDIS, position=1, least=3),
    Sending("NATS", "nats", _PYTHON | _SCRIPT, _words("publish request"), packages=_NATS),
    Sending("NATS", "nats", _GO, _words("Publish PublishMsg Request RequestWithContext"), packages=_NATS),
    Sending("Kafka", "kafka", _SCRIPT, _words("send"), receivers=r"(?i)producer|kafka", keywords=("topic",),
            position=9),
    Sending("RabbitMQ", "amqp", _SCRIPT, _words("sendToQueue")),
    Sending("RabbitMQ", "amqp", _SCRIPT, _words("publish"), packages=("amqplib",), position=1, least=3),
    Sending("BullMQ", "bull", _SCRIPT, _words("add"), "queue", receivers=r"Queue\(\)"),
    Sending("NestJS", "nest event", _SCRIPT, _words("emit emitAsync"), receivers=r"(?i)event|emitter"),
    Sending("NestJS", "nest message", _SCRIPT, _words("send emit"),
            receivers=r"(?i)client|kafka|rabbit|proxy|bus|service|broker"),
    Sending("NestJS CQRS", "type", _SCRIPT, _words("execute publish"), "type", receivers=r"(?i)bus|mediator"),
    Sending("Spring", "type", _JVM, _words("publishEvent"), "type"),
    Sending("Kafka", "kafka", _JVM, _words("send sendDefault"), receivers=r"(?i)kafka|template|producer", least=2),
    Sending("Kafka", "kafka", _JVM, _words("ProducerRecord"), least=2),
    Sending("RabbitMQ", "amqp", _JVM, _words("convertAndSend convertSendAndReceive"),
            receivers=r"(?i)rabbit|amqp", least=2),
    Sending("RabbitMQ", "amqp", _JVM | _CSHARP, _words("basicPublish BasicPublish BasicPublishAsync"), position=1,
            least=3, keywords=("routingKey",)),
    Sending("JMS", "jms", _JVM, _words("convertAndSend"), receivers=r"(?i)jms", least=2),
    Sending("Eventuate", "type", _JVM, _words("forCommand"), "argument", _EVENTUATE),
    Sending("Eventuate", "type", _JVM, _words("send"), "type", _EVENTUATE),
    Sending("SQS", "sqs", _JVM, _words("send sendMessage"), receivers=r"(?i)sqs|queueMessaging", least=1),
    Sending("MediatR", "type", _CSHARP, _words("Send Publish PublishAsync SendAsync Raise RaiseEvent SendCommand "
            "PublishEvent CreateStream InvokeAsync AddDomainEvent RaiseDomainEvent RegisterDomainEvent "
            "AddIntegrationEvent "
            "AddAndSaveEventAsync PublishThroughEventBusAsync"), "type"),
    Sending("Kafka", "kafka", _CSHARP, _words("ProduceAsync Produce"), receivers=r"(?i)producer"),
    Sending("Kafka", "kafka", _GO, _words("Produce"), packages=_KAFKA_GO, keywords=("Topic",)),
    Sending("RabbitMQ", "amqp", _GO, _words("Publish"), packages=_AMQP_GO, position=1, least=5),
    Sending("RabbitMQ", "amqp", _GO, _words("PublishWithContext"), packages=_AMQP_GO, position=2, least=6),
    Sending("asynq", "asynq", _GO, _words("NewTask"), packages=("github.com/hibiken/asynq",)),
    Sending("Laravel", "type", _PHP, _words("dispatch dispatchSync dispatchNow dispatch_sync dispatchAfterResponse "
            "event broadcast"), "type"),
    Sending("Laravel", "type", _PHP, _words("dispatch dispatchSync dispatchIf dispatchUnless dispatchAfterResponse "
            "dispatchNow"), "class"),
    Sending("Socket.IO", "socket", _SCRIPT, _words("emit emitWithAck"), receivers=_SOCKET),
    Sending("Socket.IO", "socket", _PYTHON, _words("emit"), packages=_SOCKETS),
    Sending("SignalR", "hub client", _CSHARP, _words("SendAsync SendCoreAsync"),
            receivers=r"(?i)clients?\b|^(?:All|Caller|Others)$|Group|User"),
    Sending("SignalR", "hub", _SCRIPT, _words("invoke send stream"), receivers=_HUB),
    Sending("SignalR", "hub", _CSHARP, _words("InvokeAsync SendAsync"), receivers=_HUB,
            packages=("Microsoft.AspNetCore.SignalR.Client",)),
    Sending("Phoenix", "phoenix", _SCRIPT, _words("push"), receivers=r"(?i)channel"),
    Sending("STOMP", "stomp", _SCRIPT, _words("send publish"), receivers=_STOMP, keywords=("destination",)),
    Sending("STOMP", "stomp client", _JVM, _words("convertAndSend convertAndSendToUser"),
            packages=("org.springframework.messaging",)),
    Sending("Redis list", "redis list", _PYTHON | _SCRIPT, _words("rpush lpush rPush lPush"), packages=_REDIS, least=2),
    Sending("Redis list", "redis list", _GO, _words("RPush LPush"), packages=_REDIS, position=1, least=3),
    Sending("Redis list", "redis list", _CSHARP, _words("ListLeftPush ListRightPush ListLeftPushAsync "
            "ListRightPushAsync"), least=2),
    Sending("Redis list", "redis list", _JVM, _words("leftPush rightPush"), receivers=r"(?i)ops|redis|list", least=2),
    Sending("Redis stream", "redis stream", _PYTHON | _SCRIPT, _words("xadd xAdd"), packages=_REDIS),
    Sending("SQS", "sqs", _PYTHON, _words("send_message send_message_batch"), packages=_SQS, keywords=("QueueUrl",),
            position=9),
    Sending("SQS", "sqs", _SCRIPT, _words("SendMessageCommand SendMessageBatchCommand sendMessage"), packages=_SQS,
            keywords=("QueueUrl",), position=9),
    Sending("Sidekiq", "sidekiq", _RUBY, _words("push enqueue_to"), keywords=("class",), receivers=r"Sidekiq"),
)  # fmt: skip

CALLINGS: Final = (
    Calling("Kafka", "kafka", _PYTHON, _words("KafkaConsumer AIOKafkaConsumer"), packages=_KAFKA_PYTHON),
    Calling("Kafka", "kafka", _PYTHON, _words("subscribe"), packages=_KAFKA_PYTHON, receivers="(?i)consumer",
            keywords=("topics",)),
    Calling("RabbitMQ", "amqp", _PYTHON, _words("basic_consume"), keywords=("queue",), handler=1,
            handler_keywords=("on_message_callback", "consumer_callback")),
    Calling("Redis", "redis", _PYTHON | _SCRIPT, _words("subscribe psubscribe"), packages=_REDIS, handler=1),
    Calling("Redis", "redis", _GO, _words("Subscribe PSubscribe"), packages=_REDIS, position=1),
    Calling("NATS", "nats", _PYTHON | _SCRIPT, _words("subscribe"), packages=_NATS, keywords=("subject",), handler=9,
            handler_keywords=("cb",)),
    Calling("NATS", "nats", _GO, _words("Subscribe SubscribeSync ChanSubscribe"), packages=_NATS, handler=1),
    Calling("NATS", "nats", _GO, _words("QueueSubscribe"), packages=_NATS, handler=2),
    Calling("Kafka", "kafka", _SCRIPT, _words("subscribe"), receivers="(?i)consumer|kafka",
            keywords=("topic", "topics"), position=9),
    Calling("RabbitMQ", "amqp", _SCRIPT, _words("consume"), receivers="(?i)ch", handler=1),
    Calling("BullMQ", "bull", _SCRIPT, _words("Worker"), packages=("bullmq",), handler=1),
    Calling("BullMQ", "bull", _SCRIPT, _words("process"), "queue", receivers=r"Queue\(\)", handler=-2),
    Calling("Eventuate", "type", _JVM, _words("onMessage"), "argument", _EVENTUATE, handler=1),
    Calling(EVENT_BUS, "type", _JVM, _words("onEvent"), "argument", _EVENTUATE, handler=1),
    Calling("Kafka", "kafka", _GO, _words("ConsumePartition SubscribeTopics Subscribe"), packages=_KAFKA_GO,
            receivers=r"(?i)consumer|^c$"),
    Calling("Kafka", "kafka", _CSHARP, _words("Subscribe"), receivers=r"(?i)consumer"),
    Calling("RabbitMQ", "amqp", _GO, _words("Consume ConsumeWithContext"), packages=_AMQP_GO),
    Calling("RabbitMQ", "amqp", _JVM | _CSHARP, _words("basicConsume BasicConsume BasicConsumeAsync"),
            keywords=("queue",)),
    Calling("RabbitMQ", "amqp", _GO, _words("QueueBind"), packages=_AMQP_GO, position=1),
    Calling("RabbitMQ", "amqp", _SCRIPT, _words("bindQueue"), packages=("amqplib",), position=2),
    Calling("RabbitMQ", "amqp", _PYTHON, _words("queue_bind"), keywords=("routing_key",), position=2),
    Calling("RabbitMQ", "amqp", _CSHARP | _JVM, _words("QueueBind QueueBindAsync queueBind"),
            keywords=("routingKey",), position=2),
    Calling("Socket.IO", "socket", _SCRIPT, _words("on once"), receivers=_SOCKET, handler=1),
    Calling("SignalR", "hub client", _SCRIPT, _words("on"), receivers=_HUB, handler=1),
    Calling("SignalR", "hub client", _CSHARP, _words("On"), receivers=_HUB, handler=1,
            packages=("Microsoft.AspNetCore.SignalR.Client",)),
    Calling("Phoenix", "phoenix client", _SCRIPT, _words("on"), receivers=r"(?i)channel", handler=1),
    Calling("STOMP", "stomp client", _SCRIPT, _words("subscribe"), receivers=_STOMP, handler=1),
    Calling("Redis list", "redis list", _PYTHON | _SCRIPT, _words("blpop brpop blPop brPop lpop rpop lPop rPop"),
            packages=_REDIS),
    Calling("Redis list", "redis list", _GO, _words("LPop RPop"), packages=_REDIS, position=1),
    Calling("Redis list", "redis list", _GO, _words("BLPop BRPop"), packages=_REDIS, position=2),
    Calling("Redis list", "redis list", _CSHARP, _words("ListLeftPop ListRightPop ListLeftPopAsync ListRightPopAsync")),
    Calling("Redis list", "redis list", _JVM, _words("leftPop rightPop blpop brpop"), receivers=r"(?i)ops|redis|list"),
    Calling("SQS", "sqs", _PYTHON, _words("receive_message"), packages=_SQS, keywords=("QueueUrl",), position=9),
    Calling("SQS", "sqs", _SCRIPT, _words("ReceiveMessageCommand receiveMessage"), packages=_SQS,
            keywords=("QueueUrl",), position=9),
    Calling("asynq", "asynq", _GO, _words("HandleFunc Handle"), packages=("github.com/hibiken/asynq",), handler=1),
)  # fmt: skip

MARKINGS: Final = (
    Marking("Celery", "celery", _PYTHON, _words("task shared_task periodic_task"), "own",
            heads=r"(?i)(^|celery\w*\.|app\.)$", packages=("celery", ".celery", "*celery"), keywords=("name",)),
    Marking("Dramatiq", "dramatiq", _PYTHON, _words("actor"), "own", packages=("dramatiq",), keywords=("actor_name",)),
    Marking("Kafka", "kafka", _PYTHON, _words("subscriber agent"), "text", packages=("faststream", "faust")),
    Marking("NestJS", "nest event", _SCRIPT, _words("OnEvent"), "text"),
    Marking("NestJS", "nest message", _SCRIPT, _words("MessagePattern EventPattern"), "text", keywords=("cmd",)),
    Marking("BullMQ", "bull", _SCRIPT, _words("Processor"), "text", keywords=("name",), method=("process",)),
    Marking("NestJS CQRS", "type", _SCRIPT, _words("CommandHandler EventsHandler QueryHandler"), "symbol",
            method=("execute", "handle")),
    Marking("Spring", "type", _JVM, _words("EventListener TransactionalEventListener ApplicationModuleListener"),
            "parameter"),
    Marking("Kafka", "kafka", _JVM, _words("KafkaListener"), "text", keywords=("topics",)),
    Marking("RabbitMQ", "amqp", _JVM, _words("RabbitListener"), "text", keywords=("queues",)),
    Marking("JMS", "jms", _JVM, _words("JmsListener"), "text", keywords=("destination",)),
    Marking("SQS", "sqs", _JVM, _words("SqsListener"), "text", keywords=("value", "queueNames")),
    Marking("Kafka", "kafka", _JVM, _words("Topic"), "text", packages=_KAFKA_MICRONAUT, of_class="KafkaListener"),
    Marking("Kafka", "kafka", _JVM, _words("Topic"), "text", packages=_KAFKA_MICRONAUT, of_class="KafkaClient",
            sends=True),
    Marking("RabbitMQ", "amqp", _JVM, _words("Queue"), "text", packages=_AMQP_MICRONAUT, of_class="RabbitListener"),
    Marking("RabbitMQ", "amqp", _JVM, _words("Binding"), "text", packages=_AMQP_MICRONAUT, of_class="RabbitClient",
            sends=True),
    Marking("NATS", "nats", _JVM, _words("Subject"), "text", packages=("io.micronaut.nats",), of_class="NatsListener"),
    Marking("NATS", "nats", _JVM, _words("Subject"), "text", packages=("io.micronaut.nats",), of_class="NatsClient",
            sends=True),
    Marking("Socket.IO", "socket", _SCRIPT, _words("SubscribeMessage"), "text"),
    Marking("Socket.IO", "socket", _PYTHON, _words("on"), "text", packages=_SOCKETS),
    Marking("STOMP", "stomp", _JVM, _words("MessageMapping SubscribeMapping"), "text",
            packages=("org.springframework.messaging",)),
    Marking("STOMP", "stomp client", _JVM, _words("SendTo"), "text", packages=("org.springframework.messaging",),
            sends=True),
    Marking("Reactive Messaging", "channel", _JVM, _words("Incoming"), "text", packages=_CHANNELS),
    Marking("Reactive Messaging", "channel", _JVM, _words("Outgoing Channel"), "text", packages=_CHANNELS, sends=True),
    Marking("Axon", "type", _JVM, _words("CommandHandler EventHandler EventSourcingHandler QueryHandler "
            "SagaEventHandler"), "parameter"),
    Marking("Symfony Messenger", "type", _PHP, _words("AsMessageHandler"), "parameter", method=("__invoke",)),
)  # fmt: skip

DERIVINGS: Final = (
    Deriving("Spring", "type", _JVM, re.compile(r"\bApplicationListener<\s*([\w.]+)"), ("onApplicationEvent",)),
    Deriving("MediatR", "type", _CSHARP, re.compile(
        r"\b(?:IRequestHandler|INotificationHandler|IStreamRequestHandler|ICommandHandler|IQueryHandler|IEventHandler"
        r"|IDomainEventHandler|IDomainEventNotificationHandler)<\s*([\w.]+)"), ("Handle", "HandleAsync")),
    Deriving(EVENT_BUS, "type", _CSHARP, re.compile(
        r"\b(?:IIntegrationEventHandler|IHandleMessages|IConsumer|IMessageHandler)<\s*([\w.]+)"),
        ("Handle", "HandleAsync", "Consume")),
    Deriving("Laravel", "type", _PHP, re.compile(""), ("handle", "__invoke")),
)  # fmt: skip

LITERALS: Final = (
    Literal_("Kafka", "kafka", _GO, re.compile(
             r"\b(?:ProducerMessage|Writer|WriterConfig|Message|TopicPartition)\s*\{"), ("Topic",), _KAFKA_GO, True),
    Literal_("Kafka", "kafka", _GO, re.compile(r"\bReaderConfig\s*\{"), ("Topic", "GroupTopics"), _KAFKA_GO, False),
)  # fmt: skip

BROADCAST: Final = frozenset({
    "kafka", "redis", "nats", "nest event", "type", "channel", "socket", "hub client", "stomp client", "phoenix client",
    "redis stream",
})  # fmt: skip
"""Spaces where everybody who takes a message gets it."""
LANGUAGES: Final = frozenset().union(*(each.languages for each in (*SENDINGS, *CALLINGS)))


PACKAGES: Final = (
    "io.eventuate", "socket.io", *_SOCKETS, "@stomp/", "stompjs", "phoenix", "@rails/actioncable", "actioncable",
    "channels.", "@microsoft/signalr", "Microsoft.AspNetCore.SignalR", "org.springframework.messaging",
    "@aws-sdk/client-sqs",
    "celery", "dramatiq", "rq", "django_rq", "kafka", "confluent_kafka", "aiokafka", "faust",
    "faststream", "pika", "nats", "amqplib", "kafkajs", "bull", "@nestjs/",
    "org.springframework.context", "org.springframework.kafka", "org.springframework.amqp", "org.springframework.jms",
    "org.springframework.modulith", "org.springframework.transaction.event", "org.axonframework", "org.apache.kafka",
    "com.rabbitmq", "io.awspring", "MediatR", "MassTransit", "NServiceBus", "RabbitMQ.Client", "Confluent.Kafka",
    "Illuminate", "Symfony.Component.Messenger", "Symfony\\Component\\Messenger", *_NATS, *_AMQP_GO, *_KAFKA_GO,
    "github.com/hibiken/asynq", *_KAFKA_MICRONAUT, *_AMQP_MICRONAUT, "io.micronaut.nats", *_CHANNELS,
)  # fmt: skip
"""What a file imports that may take messages."""
DISTINCT: Final = frozenset(
    "IRequestHandler INotificationHandler IIntegrationEventHandler IHandleMessages IConsumer IDomainEventHandler "
    "ICommandHandler IQueryHandler IEventHandler".split()
)
"""Words that say so where nothing need be imported."""


def _by_language(rows: tuple[Sending, ...] | tuple[Calling, ...], language: str) -> frozenset[str]:
    return frozenset(word for each in rows if language in each.languages for word in each.members)


SENDING_WORDS: Final = {language: _by_language(SENDINGS, language) for language in LANGUAGES}
CALLING_WORDS: Final = {language: _by_language(CALLINGS, language) for language in LANGUAGES}
MARKING_WORDS: Final = {
    language: frozenset(word for each in MARKINGS if language in each.languages for word in each.words)
    for language in LANGUAGES
}
WORDS: Final = {
    language: SENDING_WORDS[language]
    | CALLING_WORDS[language]
    | MARKING_WORDS[language]
    | frozenset(word for each in DERIVINGS if language in each.languages for word in each.methods)
    for language in LANGUAGES
}
WORDS["elixir"] = frozenset("handle_in broadcast broadcast! broadcast_from! push channel".split())
for _each in _SCRIPT:
    WORDS[_each] |= {"subscriptions", "perform"}
WORDS["ruby"] |= {"stream_from", "ActionCable", "ApplicationCable"}
WORDS["python"] |= {"group_send", "channel_layer"}
WORDS["csharp"] |= {"Hub"}
WORDS["java"] |= {"publish", "ResultWithEvents", "ResultWithDomainEvents"}
WORDS["go"] |= {"Context"}  # of methods that serve by gRPC
"""What a file has that sends or takes."""


_SUBSCRIBES: Final = frozenset(
    "subscribe psubscribe Subscribe PSubscribe blpop brpop blPop brPop BLPop BRPop lpop rpop lPop rPop".split()
)
_TAKES: Final = frozenset("handle_in stream_from receive_message ListLeftPop ListRightPop".split())
"""Words of files that need import nothing, or what others import too."""


def may_take(facts: FileFacts) -> bool:
    """Whether a file may take messages or declares a service, by what it imports and names."""
    if facts.language == "protobuf":
        return any(each.kind == "method" for each in facts.definitions)
    if any(each.module.startswith(_REDIS) for each in facts.imports) and not _SUBSCRIBES.isdisjoint(facts.strings):
        return True  # most use it as a cache
    return (
        any(each.module.startswith(PACKAGES) for each in facts.imports)
        or (facts.language in _CSHARP and not DISTINCT.isdisjoint(facts.strings))
        or not _TAKES.isdisjoint(facts.strings)
    )
