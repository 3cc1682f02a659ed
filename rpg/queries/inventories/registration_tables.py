"""Tables of what registers tasks, event handlers and models.

In: nothing. Out: rows. To add a library of the same style, add a row.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Row(NamedTuple):
    by: str
    packages: tuple[str, ...]
    """The library: the qualified name of what registers begins with one of these."""
    last: frozenset[str]
    """The last part of that name is one of these."""
    name: int | None = None
    """Position of the argument that names what is registered; None: the handler's own name."""
    keyword: str = ""
    """The keyword of that argument."""
    handler: int = 0
    """For a call: position of the argument that is the handler."""
    on_parameter: bool = False
    """An annotation of a parameter registers the method."""


def _row(by: str, packages: str, last: str, name: int | None = None, keyword: str = "", handler: int = 0) -> Row:
    return Row(by, tuple(packages.split()), frozenset(last.split()), name, keyword, handler)


TASK_DECORATORS = (
    _row("Celery", "celery", "task shared_task periodic_task", None, "name"),
    _row("Dramatiq", "dramatiq", "actor", None, "actor_name"),
    _row("Huey", "huey", "task periodic_task db_task db_periodic_task"),
    _row("RQ", "rq django_rq", "job"),
    _row("APScheduler", "apscheduler flask_apscheduler", "scheduled_job task", None, "id"),
    _row("Django tasks", "django.tasks django_tasks", "task"),
    _row("Prefect", "prefect", "task flow", None, "name"),
    _row("Airflow", "airflow", "task dag", None, "task_id"),
    _row("Taskiq", "taskiq", "task", None, "task_name"),
    _row("NestJS", "@nestjs/schedule", "Cron Interval Timeout", 0),
    _row("NestJS", "@nestjs/bull @nestjs/bullmq", "Process Processor", 0),
)
TASK_CALLS = (
    _row("APScheduler", "apscheduler flask_apscheduler", "add_job", None, "id"),
    _row("node-cron", "node-cron cron node-schedule", "schedule scheduleJob CronJob", 0, "", 1),
    _row("Bull", "bull bullmq", "process Worker", 0, "", -1),
    _row("Agenda", "agenda", "define", 0, "", -1),
    _row("cron", "github.com/robfig/cron", "AddFunc AddJob", 0, "", 1),
    _row("asynq", "github.com/hibiken/asynq", "HandleFunc Handle", 0, "", 1),
)
TASK_ANNOTATIONS = (
    _row("Spring", "org.springframework", "Scheduled Async"),
    _row("Quarkus", "io.quarkus.scheduler", "Scheduled"),
    _row("Micronaut", "io.micronaut.scheduling", "Scheduled"),
)
TASK_BASES = (
    _row("Active Job", "", "ApplicationJob"),
    _row("Active Job", "ActiveJob", "Base"),
    _row("Celery", "celery", "Task"),
    _row("Quartz", "org.quartz org.springframework.scheduling.quartz", "Job QuartzJobBean"),
)

EVENT_DECORATORS = (
    _row("Django", "django.dispatch", "receiver", 0, "signal"),
    _row("Celery", "celery.signals", "connect"),
    _row("blinker", "blinker flask flask_login flask_security", "connect connect_via"),
    _row("SQLAlchemy", "sqlalchemy.event flask_sqlalchemy", "listens_for", 1, "identifier"),
    _row("Flask", "flask quart", "before_request after_request teardown_request errorhandler context_processor "
         "before_app_request after_app_request app_errorhandler teardown_appcontext before_first_request "
         "url_value_preprocessor app_context_processor teardown_app_request"),
    _row("FastAPI", "fastapi starlette", "on_event exception_handler middleware"),
    _row("NestJS", "@nestjs/event-emitter @nestjs/microservices @nestjs/websockets",
         "OnEvent EventPattern MessagePattern SubscribeMessage", 0),
)  # fmt: skip
EVENT_CALLS = (
    _row("Django", "django.dispatch django.db.models.signals django.core.signals django.contrib.auth.signals "
         "django.test.signals", "connect"),
    _row("Celery", "celery.signals", "connect"),
    _row("blinker", "blinker", "connect"),
    _row("SQLAlchemy", "sqlalchemy.event", "listen", 1, "", 2),
    _row("signal", "signal", "signal", 0, "", 1),
    _row("Node", "events node:events", "on once addListener prependListener", 0, "", 1),
    _row("Socket.IO", "socket.io socket.io-client", "on once", 0, "", 1),
    _row("process", "process", "on once", 0, "", 1),
    _row("signal.Notify", "os/signal", "Notify", 1),
    _row("Mongoose", "mongoose", "pre post", 0, "", 1),
)  # fmt: skip
EVENT_ANNOTATIONS = (
    _row("Spring", "org.springframework", "EventListener TransactionalEventListener KafkaListener RabbitListener "
         "JmsListener StreamListener SqsListener ExceptionHandler"),
    _row("CDI", "jakarta.enterprise javax.enterprise", "Observes ObservesAsync")._replace(on_parameter=True),
    _row("JPA", "jakarta.persistence javax.persistence", "PrePersist PostPersist PreUpdate PostUpdate PreRemove "
         "PostRemove PostLoad"),
)  # fmt: skip
SIGNALS_MADE = (
    _row("Django", "django.dispatch", "Signal()"),
    _row("blinker", "blinker", "signal() Signal() NamedSignal()"),
)
"""Calls that make a signal: constants assigned from them are signals of the repository."""

MODEL_BASES = (
    _row("Django", "django.db.models django.contrib.gis.db.models django.contrib.auth mptt", "Model AbstractUser "
         "AbstractBaseUser MPTTModel"),
    _row("Wagtail", "wagtail modelcluster", "Page Orderable ClusterableModel AbstractEmailForm AbstractForm "
         "AbstractImage AbstractDocument BaseSiteSetting BaseGenericSetting"),
    _row("SQLAlchemy", "sqlalchemy flask_sqlalchemy", "DeclarativeBase DeclarativeBaseNoMeta Model "
         "declarative_base()"),
    _row("SQLModel", "sqlmodel", "SQLModel"),
    _row("Peewee", "peewee playhouse", "Model"),
    _row("Tortoise", "tortoise", "Model"),
    _row("MongoEngine", "mongoengine", "Document EmbeddedDocument DynamicDocument"),
    _row("Beanie", "beanie odmantic", "Document Model"),
    _row("Active Record", "", "ApplicationRecord"),
    _row("Active Record", "ActiveRecord", "Base"),
    _row("Eloquent", "Illuminate\\Database\\Eloquent Illuminate\\Foundation\\Auth", "Model User"),
    _row("Sequelize", "sequelize sequelize-typescript", "Model"),
)  # fmt: skip
MODEL_DECORATORS = (
    _row("TypeORM", "typeorm", "Entity", 0),
    _row("MikroORM", "@mikro-orm/core", "Entity"),
    _row("NestJS Mongoose", "@nestjs/mongoose", "Schema"),
    _row("Sequelize", "sequelize-typescript", "Table"),
)
MODEL_CALLS = (
    _row("Mongoose", "mongoose", "model", 0, "", 1),
    _row("Sequelize", "sequelize", "define", 0, "", 1),
    _row("Drizzle", "drizzle-orm", "pgTable sqliteTable mysqlTable", 0, "", 1),
)
MODEL_ANNOTATIONS = (
    _row("JPA", "jakarta.persistence javax.persistence", "Entity MappedSuperclass Embeddable"),
    _row("Spring Data", "org.springframework.data", "Document Table"),
)

MIGRATIONS = tuple(
    (by, re.compile(pattern))
    for by, pattern in (
        ("Django", r"(^|/)migrations/\d{4}_\w+\.py$"),
        ("Alembic", r"(^|/)(alembic|migrations|versions)/versions/\w+\.py$"),
        ("Rails", r"(^|/)db/migrate/\d+_\w+\.rb$"),
        ("Flyway", r"(^|/)[VR]\d*[\d_.]*__[\w.-]+\.sql$"),
        ("Prisma", r"(^|/)migrations/\d+_\w+/migration\.sql$"),
        ("Laravel", r"(^|/)database/migrations/\d[\d_]+\w+\.php$"),
        ("migrate", r"(^|/)\d+_[\w.-]+\.up\.sql$"),
        ("JavaScript", r"(^|/)migrations/\d{8,}[-_][\w.-]+\.[cm]?[jt]s$"),
        ("Ecto", r"(^|/)priv/[\w/]*migrations/\d+_\w+\.exs$"),
    )
)
"""Files whose place and name say that they are migrations."""
