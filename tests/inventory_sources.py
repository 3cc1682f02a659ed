"""Small sources in the forms that frameworks document: one for each row of the tables of inventories, by path.

What a source should not be taken for is left out here; tests/queries/inventories/test_inventories.py has that.
"""

from __future__ import annotations

VERBS = ("get", "post", "put", "patch", "delete", "options", "head")


def _lines(form: str, *words: str) -> str:
    return "\n".join(form.replace("WORD", word) for word in words)


def _named(text: str) -> str:
    """With a name of its own for each function of a source: `NEW` in it."""
    parts = text.split("NEW")
    return parts[0] + "".join(f"f{number}{part}" for number, part in enumerate(parts[1:]))


ROUTES = {
    "routes/flask_app.py": _named(
        """
import flask
from flask import Flask, Blueprint
app = Flask(__name__)
bp = Blueprint("b", __name__, url_prefix="/bp")
@app.route("/route")
def NEW(): ...
"""
        + _lines('@bp.WORD("/WORD")\ndef NEW(): ...', *VERBS[:5])
        + """
def added(): ...
app.add_url_rule("/added", view_func=added)
app.register_blueprint(bp, url_prefix="/mounted")
class View(flask.views.MethodView):
    def get(self): ...
    def put(self): ...
app.add_url_rule("/view", view_func=View.as_view("view"))
"""
    ),
    "routes/flask_given.py": """
import flask
@app.route("/given")
def given(): ...
""",
    "routes/quart_app.py": """
from quart import Quart
app = Quart(__name__)
@app.route("/quart")
async def shown(): ...
""",
    "routes/fastapi_app.py": _named(
        """
from fastapi import APIRouter, FastAPI
app = FastAPI()
router = APIRouter(prefix="/items")
"""
        + _lines(
            '@app.WORD("/WORD")\nasync def NEW(): ...',
            *VERBS,
            "trace",
            "websocket",
            "websocket_route",
            "api_route",
            "route",
        )
        + """
@router.get("/inner")
async def inner(): ...
async def added(): ...
app.add_api_route("/added", added, methods=["PUT"])
app.add_route("/old", added)
app.add_api_websocket_route("/feed", added)
app.include_router(router, prefix="/v1")
below = FastAPI()
@below.get("/deep")
async def deep(): ...
app.mount("/below", below)
"""
    ),
    "routes/fastapi_given.py": """
import fastapi
@app.get("/given-app")
async def by_app(): ...
@router.get("/given-router")
async def by_router(): ...
""",
    "routes/starlette_app.py": """
from starlette.applications import Starlette
from starlette.routing import Router
app = Starlette()
def shown(request): ...
app.add_route("/starlette", shown, methods=["GET"])
inner = Router()
inner.add_route("/inner", shown)
app.mount("/mounted", inner)
""",
    "routes/express_app.js": """
const express = require("express");
const app = express();
const router = express.Router();
function run(request, response) {}
"""
    + _lines('app.WORD("/WORD", run);', *VERBS, "all")
    + """
router.get("/inner", run);
app.use("/used", router);
app.route("/grouped").get(run).post(run);
""",
    "routes/express_types.ts": """
import express, { Application, Express, IRouter, Router } from "express";
const made = express();
made.get("/made", run);
export function a(first: Express) { first.get("/express", run); }
export function b(second: Application) { second.get("/application", run); }
export function c(third: IRouter) { third.get("/irouter", run); }
export function d(fourth: Router) { fourth.get("/router", run); }
function run() {}
""",
    "routes/express_given.js": """
const express = require("express");
function run(request, response) {}
module.exports = () => {
  app.get("/given-app", run);
  router.get("/given-router", run);
  server.get("/given-server", run);
  server.get(7, run);
};
""",
    "routes/hono_app.ts": """
import { Hono } from "hono";
const app = new Hono();
const inner = new Hono();
const run = (c: any) => c.text("x");
"""
    + _lines('app.WORD("/WORD", run);', *VERBS[:6], "all")
    + """
inner.get("/inner", run);
app.route("/mounted", inner);
const based = app.basePath("/based");
based.get("/x", run);
app.use(run).get("/behind", run);
""",
    "routes/fastify_app.js": """
const fastify = require("fastify");
const app = fastify();
const { Fastify } = require("fastify");
const other = Fastify();
const run = async (request, reply) => ({});
"""
    + _lines('app.WORD("/WORD", run);', *VERBS, "all")
    + """
other.get("/other", run);
""",
    "routes/fastify_types.ts": """
import Fastify, { FastifyInstance } from "fastify";
const app = Fastify({ logger: true });
const run = async () => ({});
app.get("/made", run);
export async function plugin(instance: FastifyInstance) { instance.get("/typed", run); }
""",
    "routes/fastify_given.js": """
const plugin = require("fastify");
const run = async (request, reply) => ({});
module.exports = async () => { fastify.get("/given", run); };
""",
    "go.mod": "module example.org/web\n",
    "gin/main.go": """package gin

import "github.com/gin-gonic/gin"

func run(c *gin.Context) {}

func main() {
	r := gin.Default()
"""
    + _lines('\tr.WORD("/WORD", run)', *(verb.upper() for verb in VERBS), "Any")
    + """
	r.Handle("LINK", "/handle", run)
	r.Static("/assets", "./assets")
	r.StaticFile("/favicon.ico", "./favicon.ico")
	r.StaticFS("/files", http.Dir("files"))
	v1 := r.Group("/v1")
	v1.GET("/inner", run)
	r.Use(run).GET("/behind", run)
	other := gin.New()
	other.GET("/other", run)
}

func a(e *gin.Engine) { e.GET("/engine", run) }
func b(g *gin.RouterGroup) { g.GET("/group", run) }
func c(i gin.IRouter) { i.GET("/irouter", run) }
func d(i gin.IRoutes) { i.GET("/iroutes", run) }
""",
    "echo/main.go": """package echo

import "github.com/labstack/echo/v4"

func run(c echo.Context) error { return nil }

func main() {
	e := echo.New()
"""
    + _lines('\te.WORD("/WORD", run)', *(verb.upper() for verb in VERBS), "Any")
    + """
	e.Add("LINK", "/added", run)
	g := e.Group("/v1")
	g.GET("/inner", run, middleware)
}

func a(e *echo.Echo) { e.GET("/echo", run) }
func b(g *echo.Group) { g.GET("/group", run) }
""",
    "chi/main.go": """package chi

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

func run(w http.ResponseWriter, r *http.Request) {}

func main() {
	r := chi.NewRouter()
"""
    + _lines('\tr.WORD("/WORD", run)', *(verb.capitalize() for verb in VERBS), "Handle", "HandleFunc")
    + """
	r.Method("LINK", "/method", run)
	r.MethodFunc("LINK", "/method-func", run)
	r.Route("/routed", func(r chi.Router) { r.Get("/inner", run) })
	r.Route("/around", func(r chi.Router) {
		r.Group(func(r chi.Router) { r.Get("/grouped", run) })
	})
	inner := chi.NewMux()
	inner.Get("/inner", run)
	r.Mount("/mounted", inner)
	r.With(paginate).Get("/with", run)
}

func a(m *chi.Mux) { m.Get("/mux", run) }
func b(m chi.Router) { m.Get("/router", run) }
""",
    "fiber/main.go": """package fiber

import "github.com/gofiber/fiber/v2"

func run(c *fiber.Ctx) error { return nil }

func main() {
	app := fiber.New()
"""
    + _lines('\tapp.WORD("/WORD", run)', *(verb.capitalize() for verb in VERBS), "All")
    + """
	v1 := app.Group("/v1")
	v1.Get("/inner", run)
	app.Route("/routed", func(api fiber.Router) { api.Get("/inner", run) })
	micro := fiber.New()
	micro.Get("/inner", run)
	app.Mount("/mounted", micro)
}

func a(app *fiber.App) { app.Get("/app", run) }
func b(r fiber.Router) { r.Get("/router", run) }
""",
    "gorilla/main.go": """package gorilla

import (
	"net/http"

	"github.com/gorilla/mux"
)

func run(w http.ResponseWriter, r *http.Request) {}

func main() {
	r := mux.NewRouter()
	r.HandleFunc("/func", run).Methods("GET", "POST")
	r.Handle("/handle", run)
	s := r.PathPrefix("/v1").Subrouter()
	s.HandleFunc("/inner", run)
}

func a(r *mux.Router) { r.HandleFunc("/router", run) }
""",
    "nethttp/main.go": """package nethttp

import "net/http"

func run(w http.ResponseWriter, r *http.Request) {}

func main() {
	http.HandleFunc("/func", run)
	http.Handle("/handle", http.HandlerFunc(run))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /made/{id}", run)
	http.DefaultServeMux.HandleFunc("/default", run)
}

func a(m *http.ServeMux) { m.HandleFunc("/typed", run) }
""",
}
"""Of calls on routers."""

_MAPPED = _lines('    @WORDMapping("/WORD") void m_WORD() {}', "Get", "Post", "Put", "Patch", "Delete")
_OF_JAX = _lines('    @WORD @Path("WORD") public void m_WORD() {}', *(verb.upper() for verb in VERBS))
_CAPITALS = tuple(verb.capitalize() for verb in VERBS)
ANNOTATED = {
    "annotated/Spring.java": """package a;
import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/spring")
class Spring {
"""
    + _MAPPED
    + """
    @RequestMapping(path = "/any") void any() {}
    @RequestMapping(value = "/stated", method = RequestMethod.PUT) void stated() {}
}
@FeignClient("other")
class Feign { @GetMapping("/feign") void m() {} }
@HttpExchange("/other")
class Exchange { @GetMapping("/exchange") void m() {} }
""",
    "annotated/Jakarta.java": """package a;
import jakarta.ws.rs.*;
@Path("/jakarta")
class Jakarta {
"""
    + _OF_JAX
    + """
}
@Path("/other") @RegisterRestClient
interface Client { @GET void m(); }
""",
    "annotated/Javax.java": """package a;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
@Path(value = "/javax")
class Javax { @GET public void m() {} }
""",
    "annotated/Micronaut.java": """package a;
import io.micronaut.http.annotation.*;
@Controller("/micronaut")
class Micronaut {
"""
    + _lines('    @WORD("/WORD") void m_WORD() {}', *_CAPITALS)
    + """
    @Get(uri = "/uri") void uri() {}
}
@Controller(value = "/keyword")
class Keyword { @Get void m() {} }
class Plain { @Get("/plain") void m() {} }
""",
    "annotated/nest.ts": """
import { Controller, Get, Post, Put, Patch, Delete, Options, Head, All } from "@nestjs/common";
@Controller("nest")
export class Nest {
"""
    + _lines('  @WORD("WORD")\n  mWORD() {}', *_CAPITALS, "All")
    + """
}
@Controller({ path: "object" })
export class Second {
  @Get(":id")
  one() {}
}
""",
    "annotated/Asp.cs": """using Microsoft.AspNetCore.Mvc;
namespace A {
[ApiController]
[Route("api/[controller]")]
public class ItemsController : ControllerBase {
"""
    + _lines('    [HttpWORD("WORD")]\n    public void MWORD() {}', *_CAPITALS)
    + """
}
[Controller]
public class Marked {
    [HttpGet("marked")]
    public void Get() {}
}
[ApiController]
public class Api {
    [HttpGet("api")]
    public void Get() {}
}
[Route("routed")]
public class Routed {
    [HttpGet(template: "x")]
    public void Get() {}
}
}
""",
    "annotated/WebApi.cs": """using System.Web.Http;
namespace B {
[RoutePrefix("web")]
public class OldController : ApiController {
    [HttpGet]
    [Route("old")]
    public void Get() {}
}
}
""",
}
"""Of annotations on classes and methods."""

_PYTHON_TASKS = {
    "celery": "from celery import Celery, shared_task\nfrom celery.task import periodic_task\napp = Celery()\n"
    "@app.task(name='named')\ndef NEW(): ...\n@shared_task\ndef NEW(): ...\n"
    "@periodic_task(run_every=60)\ndef NEW(): ...\n",
    "dramatiq": "import dramatiq\n@dramatiq.actor(actor_name='named')\ndef NEW(): ...\n",
    "huey": "from huey import RedisHuey\nhuey = RedisHuey()\n@huey.task()\ndef NEW(): ...\n"
    "@huey.periodic_task(minute)\ndef NEW(): ...\n",
    "huey_django": "from huey.contrib.djhuey import db_periodic_task, db_task\n@db_task()\ndef NEW(): ...\n"
    "@db_periodic_task(hourly)\ndef NEW(): ...\n",
    "rq": "from rq.decorators import job\n@job('low')\ndef NEW(): ...\n",
    "rq_django": "from django_rq import job\n@job\ndef NEW(): ...\n",
    "apscheduler": "from apscheduler.schedulers.background import BackgroundScheduler\n"
    "scheduler = BackgroundScheduler()\n@scheduler.scheduled_job('interval', id='named')\ndef NEW(): ...\n"
    "def added(): ...\nscheduler.add_job(added, 'cron', id='nightly')\n",
    "apscheduler_flask": "from flask_apscheduler import APScheduler\nscheduler = APScheduler()\n"
    "@scheduler.task('interval', id='named')\ndef NEW(): ...\ndef added(): ...\n"
    "scheduler.add_job(added, id='nightly')\n",
    "django_six": "from django.tasks import task\n@task()\ndef NEW(): ...\n",
    "django_before": "from django_tasks import task\n@task()\ndef NEW(): ...\n",
    "prefect": "from prefect import flow, task\n@task(name='named')\ndef NEW(): ...\n@flow\ndef NEW(): ...\n",
    "airflow": "from airflow.decorators import dag, task\n@task(task_id='named')\ndef NEW(): ...\n"
    "@dag\ndef NEW(): ...\n",
    "taskiq": "from taskiq import InMemoryBroker\nbroker = InMemoryBroker()\n@broker.task(task_name='named')\n"
    "async def NEW(): ...\n",
    "celery_class": "import celery\nclass Sweep(celery.Task):\n    def run(self): ...\n",
}
TASKS = {f"tasks/of_{name}.py": _named(text) for name, text in _PYTHON_TASKS.items()} | {
    "tasks/nest.ts": """
import { Cron, Interval, Timeout } from "@nestjs/schedule";
export class Timed {
  @Cron("0 0 * * *")
  nightly() {}
  @Interval("often", 1000)
  often() {}
  @Timeout("late", 5000)
  late() {}
}
""",
    "tasks/nest_bull.ts": """
import { Process, Processor } from "@nestjs/bull";
@Processor("audio")
export class Audio {
  @Process("transcode")
  run() {}
}
""",
    "tasks/nest_bullmq.ts": """
import { Processor } from "@nestjs/bullmq";
@Processor("video")
export class Video {}
""",
    "tasks/node_cron.js": """
const cron = require("node-cron");
function run() {}
cron.schedule("* * * * *", run);
""",
    "tasks/cron_job.js": """
const { CronJob } = require("cron");
function run() {}
new CronJob("0 * * * * *", run);
""",
    "tasks/node_schedule.js": """
const schedule = require("node-schedule");
function run() {}
schedule.scheduleJob("42 * * * *", run);
""",
    "tasks/bull.js": """
const Queue = require("bull");
const queue = new Queue("mail");
function run() {}
queue.process("send", run);
""",
    "tasks/bullmq.ts": """
import { Worker } from "bullmq";
async function run() {}
new Worker("paint", run);
""",
    "tasks/agenda.js": """
const { Agenda } = require("agenda");
const agenda = new Agenda();
async function run(job) {}
agenda.define("tidy", run);
""",
    "tasks/cron/main.go": """package cron

import "github.com/robfig/cron/v3"

func run() {}

func main() {
	c := cron.New()
	c.AddFunc("@hourly", run)
	c.AddJob("@daily", job)
}
""",
    "tasks/asynq/main.go": """package asynq

import "github.com/hibiken/asynq"

func run() {}

func main() {
	mux := asynq.NewServeMux()
	mux.HandleFunc("email:send", run)
	mux.Handle("image:resize", processor)
}
""",
    "tasks/Spring.java": """package t;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
class Spring {
    @Scheduled(cron = "0 0 * * * *") void hourly() {}
    @Async void later() {}
}
""",
    "tasks/Quarkus.java": """package t;
import io.quarkus.scheduler.Scheduled;
class Quarkus { @Scheduled(every = "10s") void often() {} }
""",
    "tasks/Micronaut.java": """package t;
import io.micronaut.scheduling.annotation.Scheduled;
class Micronaut { @Scheduled(fixedDelay = "5m") void often() {} }
""",
    "tasks/Quartz.java": """package t;
import org.quartz.Job;
class Quartz implements Job { public void execute() {} }
""",
    "tasks/QuartzBean.java": """package t;
import org.springframework.scheduling.quartz.QuartzJobBean;
class QuartzBean extends QuartzJobBean { protected void executeInternal() {} }
""",
    "app/jobs/base_job.rb": "class BaseJob < ActiveJob::Base\n  def perform\n  end\nend\n",
    "app/jobs/tidy_job.rb": "class TidyJob < ApplicationJob\n  def perform\n  end\nend\n",
}
"""What runs later or at a time."""

_FLASK_HOOKS = ("before_request after_request teardown_request context_processor teardown_appcontext "
                "before_first_request url_value_preprocessor").split()  # fmt: skip
_BLUEPRINT_HOOKS = "before_app_request after_app_request app_context_processor teardown_app_request".split()
_MADE = {
    "django": "from django.db.models.signals import post_save\nfrom django.dispatch import Signal, receiver\n"
    "from django.core.signals import request_started\nfrom django.contrib.auth.signals import user_logged_in\n"
    "from django.test.signals import setting_changed\nown = Signal()\n@receiver(post_save)\ndef NEW(): ...\n"
    "def run(): ...\nown.connect(run)\npost_save.connect(run)\nrequest_started.connect(run)\n"
    "user_logged_in.connect(run)\nsetting_changed.connect(run)\n",
    "celery": "from celery.signals import task_failure, worker_ready\n@worker_ready.connect\ndef NEW(): ...\n"
    "def run(): ...\ntask_failure.connect(run)\n",
    "blinker": "import blinker\nfrom blinker import NamedSignal, Signal, signal\nready = signal('ready')\n"
    "other = Signal()\nthird = NamedSignal('third')\n@ready.connect\ndef NEW(): ...\n"
    "@ready.connect_via(sender)\ndef NEW(): ...\ndef run(): ...\nready.connect(run)\n",
    "flask_signals": "from flask import got_request_exception\n@got_request_exception.connect\ndef NEW(): ...\n",
    "flask_login": "from flask_login import user_logged_in\n@user_logged_in.connect\ndef NEW(): ...\n",
    "flask_security": "from flask_security import user_registered\n@user_registered.connect\ndef NEW(): ...\n",
    "sqlalchemy": "from sqlalchemy import event\n@event.listens_for(Engine, 'connect')\ndef NEW(): ...\n"
    "def run(): ...\nevent.listen(Engine, 'close', run)\n",
    "sqlalchemy_flask": "from flask_sqlalchemy import SQLAlchemy\ndb = SQLAlchemy()\n"
    "@db.event.listens_for(User, 'load')\ndef NEW(): ...\n",
    "flask": "from flask import Blueprint, Flask\napp = Flask(__name__)\nbp = Blueprint('b', __name__)\n"
    + _lines("@app.WORD\ndef NEW(): ...", *_FLASK_HOOKS) + "\n@app.errorhandler(404)\ndef NEW(): ...\n"
    + _lines("@bp.WORD\ndef NEW(): ...", *_BLUEPRINT_HOOKS) + "\n@bp.app_errorhandler(404)\ndef NEW(): ...\n",
    "quart": "from quart import Quart\napp = Quart(__name__)\n@app.before_request\nasync def NEW(): ...\n",
    "fastapi": "from fastapi import FastAPI\napp = FastAPI()\n@app.on_event('startup')\nasync def NEW(): ...\n"
    "@app.exception_handler(ValueError)\nasync def NEW(): ...\n@app.middleware('http')\nasync def NEW(): ...\n",
    "starlette": "from starlette.applications import Starlette\napp = Starlette()\n@app.on_event('startup')\n"
    "async def NEW(): ...\n",
    "system": "import signal\ndef run(number, frame): ...\nsignal.signal(signal.SIGTERM, run)\n",
}  # fmt: skip
SIGNALS = {f"signals/of_{name}.py": _named(text) for name, text in _MADE.items()} | {
    "signals/nest_events.ts": """
import { OnEvent } from "@nestjs/event-emitter";
export class Events {
  @OnEvent("order.created")
  created() {}
}
""",
    "signals/nest_messages.ts": """
import { EventPattern, MessagePattern } from "@nestjs/microservices";
export class Messages {
  @EventPattern("user_created")
  created() {}
  @MessagePattern("sum")
  sum() {}
}
""",
    "signals/nest_sockets.ts": """
import { SubscribeMessage } from "@nestjs/websockets";
export class Sockets {
  @SubscribeMessage("chat")
  chat() {}
}
""",
    "signals/node.js": """
const { EventEmitter } = require("events");
const bus = new EventEmitter();
function run() {}
""" + _lines('bus.WORD("WORD", run);', "on", "once", "addListener", "prependListener") + """
process.on("SIGINT", run);
process.once("exit", run);
""",
    "signals/node_prefixed.mjs": """
import { EventEmitter } from "node:events";
const bus = new EventEmitter();
function run() {}
bus.on("ready", run);
""",
    "signals/socket.js": """
const { Server } = require("socket.io");
const io = new Server();
function run(socket) {}
io.on("connection", run);
io.once("first", run);
""",
    "signals/socket_client.js": """
import { io } from "socket.io-client";
const socket = io();
function run() {}
socket.on("connect", run);
""",
    "signals/mongoose.js": """
const mongoose = require("mongoose");
const schema = new mongoose.Schema({});
function run(next) {}
schema.pre("save", run);
schema.post("save", run);
""",
    "signals/notify/main.go": """package notify

import (
	"os"
	"os/signal"
)

func main() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
}
""",
    "signals/Spring.java": """package s;
import org.springframework.context.event.EventListener;
class Spring {
""" + _lines("    @WORD void mWORD() {}", "EventListener", "TransactionalEventListener", "KafkaListener",
             "RabbitListener", "JmsListener", "StreamListener", "SqsListener", "ExceptionHandler") + """
}
""",
    "signals/Jakarta.java": """package s;
import jakarta.enterprise.event.Observes;
class Jakarta { void ordered(@Observes Order order) {} }
""",
    "signals/Javax.java": """package s;
import javax.enterprise.event.Observes;
class Javax { void ordered(@Observes Order order) {} }
interface Later { void later(@ObservesAsync Order order); }
""",
    "signals/Jpa.java": """package s;
import jakarta.persistence.*;
class Jpa {
""" + _lines("    @WORD void mWORD() {}", "PrePersist", "PostPersist", "PreUpdate", "PostUpdate", "PreRemove",
             "PostRemove", "PostLoad") + """
}
""",
    "signals/OldJpa.java": """package s;
import javax.persistence.PrePersist;
class OldJpa { @PrePersist void before() {} }
""",
}  # fmt: skip
"""What runs when something happens."""

_STORED = {
    "django": "from django.db import models\nfrom django.contrib.auth.models import AbstractBaseUser, AbstractUser\n"
    "from django.contrib.gis.db import models as gis\nclass Post(models.Model): ...\n"
    "class Place(gis.Model): ...\nclass Member(AbstractUser): ...\nclass Login(AbstractBaseUser): ...\n",
    "wagtail": "from modelcluster.models import ClusterableModel\n"
    "from wagtail.models import Orderable, Page\n"
    "from wagtail.contrib.forms.models import AbstractEmailForm, AbstractForm\n"
    "from wagtail.contrib.settings.models import BaseGenericSetting, BaseSiteSetting\n"
    "from wagtail.documents.models import AbstractDocument\nfrom wagtail.images.models import AbstractImage\n"
    "class Home(Page): ...\nclass Item(Orderable): ...\nclass Shelf(ClusterableModel): ...\n"
    "class Mail(AbstractEmailForm): ...\nclass Form(AbstractForm): ...\nclass Shared(BaseGenericSetting): ...\n"
    "class Local(BaseSiteSetting): ...\nclass Paper(AbstractDocument): ...\nclass Photo(AbstractImage): ...\n",
    "mptt": "from mptt.models import MPTTModel\nclass Genre(MPTTModel): ...\n",
    "sqlalchemy": "from sqlalchemy.orm import DeclarativeBase, DeclarativeBaseNoMeta, declarative_base\n"
    "class Base(DeclarativeBase): ...\nclass A(Base):\n    __tablename__ = 'a'\n"
    "class Plain(DeclarativeBaseNoMeta): ...\nclass B(Plain):\n    __tablename__ = 'b'\n"
    "Old = declarative_base()\nclass C(Old):\n    __tablename__ = 'c'\n",
    "sqlalchemy_flask": "from flask_sqlalchemy import SQLAlchemy\ndb = SQLAlchemy()\nclass User(db.Model): ...\n",
    "sqlmodel": "from sqlmodel import SQLModel\nclass Hero(SQLModel, table=True): ...\nclass Shape(SQLModel): ...\n",
    "peewee": "from peewee import Model\nclass Person(Model): ...\n",
    "playhouse": "from playhouse.signals import Model\nclass Signed(Model): ...\n",
    "tortoise": "from tortoise.models import Model\nclass Event(Model): ...\n",
    "mongoengine": "from mongoengine import Document, DynamicDocument, EmbeddedDocument\nclass Page(Document): ...\n"
    "class Note(EmbeddedDocument): ...\nclass Free(DynamicDocument): ...\n",
    "beanie": "from beanie import Document\nclass Product(Document): ...\n",
    "odmantic": "from odmantic import Model\nclass Publisher(Model): ...\n",
}
MODELS = {f"models/of_{name}.py": text for name, text in _STORED.items()} | {
    "app/models/page.rb": "class Page < ActiveRecord::Base\nend\n",
    "app/models/post.rb": "class Post < ApplicationRecord\nend\n",
    "app/Models/Photo.php": "<?php\nnamespace App\\Models;\nuse Illuminate\\Database\\Eloquent\\Model;\n"
    "use Illuminate\\Foundation\\Auth\\User as Authenticated;\n"
    "class Photo extends Model {}\nclass Member extends Authenticated {}\n",
    "models/sequelize.js": """
const { Model, Sequelize } = require("sequelize");
const sequelize = new Sequelize("sqlite::memory:");
class User extends Model {}
const Task = sequelize.define("Task", {});
""",
    "models/sequelize_typed.ts": """
import { Model, Table } from "sequelize-typescript";
@Table
export class Person extends Model {}
""",
    "models/typeorm.ts": """
import { Entity } from "typeorm";
@Entity("photos")
export class Photo {}
""",
    "models/mikro.ts": """
import { Entity } from "@mikro-orm/core";
@Entity()
export class Book {}
""",
    "models/nest_mongoose.ts": """
import { Schema } from "@nestjs/mongoose";
@Schema()
export class Cat {}
""",
    "models/mongoose.js": """
const mongoose = require("mongoose");
const schema = new mongoose.Schema({});
const Cat = mongoose.model("Cat", schema);
""",
    "models/drizzle.ts": """
import { pgTable } from "drizzle-orm/pg-core";
import { sqliteTable } from "drizzle-orm/sqlite-core";
import { mysqlTable } from "drizzle-orm/mysql-core";
export const a = pgTable("a", {});
export const b = sqliteTable("b", {});
export const c = mysqlTable("c", {});
""",
    "models/Jpa.java": """package m;
import jakarta.persistence.*;
@MappedSuperclass class Above {}
@Entity class Jpa {}
@Embeddable class Part {}
""",
    "models/OldJpa.java": "package m;\nimport javax.persistence.Entity;\n@Entity class OldJpa {}\n",
    "models/Mongo.java": """package m;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.relational.core.mapping.Table;
@Document("pages") class Mongo {}
@Table("rows") class Rows {}
""",
    "models/gorm/main.go": """package gorm

import "gorm.io/gorm"

type Product struct {
	gorm.Model
	Code string
}

type Tagged struct {
	ID uint `gorm:"primaryKey"`
}
""",
    "shop/migrations/0001_initial.py": "",
    "alembic/versions/1975ea83b712_create.py": "",
    "db/migrate/20080901000000_create_posts.rb": "",
    "flyway/V1__create.sql": "SELECT 1;\n",
    "prisma/migrations/20240101000000_init/migration.sql": "SELECT 1;\n",
    "database/migrations/2024_01_01_000000_create_users.php": "<?php\n",
    "sql/000001_create.up.sql": "SELECT 1;\n",
    "orm/migrations/1700000000000-create.ts": "export {};\n",
    "priv/repo/migrations/20240101000000_create.exs": "",
}
"""What is stored, and migrations by their places."""

ENVIRONMENT = {
    "environment/of_os.py": """
import os
from os import environ
os.environ["INDEXED"]
os.environ.get("GOT")
os.environ.pop("POPPED")
environ.setdefault("SET_DEFAULT", "x")
"HELD" in os.environ
os.getenv("FUNCTION")
""",
    "environment/of_packages.py": """
import environ
from decouple import config
from django.conf import settings
from pydantic_settings import BaseSettings
env = environ.Env()
env("CALLED")
config("DECOUPLED")
settings.SETTING
class Options(BaseSettings):
    declared: str = ""
""",
    "environment/of_node.ts": """
import { env } from "process";
process.env.ATTRIBUTE;
process.env["INDEXED_NODE"];
env.FROM_PROCESS;
import.meta.env.VITE_X;
Deno.env.get("DENO");
Deno.env.has("DENO_HAS");
""",
    "environment/of_prefixed.ts": 'import { env } from "node:process";\nenv.FROM_PREFIXED;\n',
    "environment/main.go": """package environment

import (
	"os"
	"syscall"
)

func main() {
	os.Getenv("GO")
	os.LookupEnv("GO_LOOKUP")
	syscall.Getenv("GO_SYSTEM")
}
""",
    "environment/A.java": """package e;
import org.springframework.beans.factory.annotation.Value;
class A {
    @Value("${spring.value}") String value;
    void m() { System.getenv("JAVA"); System.getProperty("java.property"); }
}
""",
    "environment/a.rb": "ENV['RUBY']\nENV.fetch('RUBY_FETCHED')\n",
    "environment/a.rs": 'fn main() { std::env::var("RUST").unwrap(); env!("RUST_BUILT"); }\n',
    "environment/A.cs": 'class A { void M() { System.Environment.GetEnvironmentVariable("CSHARP"); } }\n',
    "environment/a.c": '#include <stdlib.h>\nint main(void) { getenv("C_READ"); return 0; }\n',
    "environment/a.php": "<?php\n$a = $_ENV['PHP'];\n$b = env('LARAVEL');\n",
    "environment/a.ex": 'defmodule A do\n  def m, do: System.get_env("ELIXIR")\nend\n',
    "environment/a.swift": 'import Foundation\nlet a = ProcessInfo.processInfo.environment["SWIFT"]\n',
    "environment/a.dart": "import 'dart:io';\nvoid main() { print(Platform.environment['DART']); }\n",
    "environment/a.vue": "<script>\nexport default { m() { return import.meta.env.VITE_VUE } }\n</script>\n",
}
"""Variables that code reads."""

COMMANDS = {
    "commands/of_click.py": """
import click
@click.group()
def cli(): ...
@cli.command("named")
def first(): ...
""",
    "commands/of_asyncclick.py": "import asyncclick\n@asyncclick.command()\nasync def by_async(): ...\n",
    "commands/of_rich_click.py": "import rich_click as click\n@click.command()\ndef by_rich(): ...\n",
    "commands/of_typer.py": "import typer\napp = typer.Typer()\n@app.command()\ndef typed(): ...\n",
    "commands/of_flask.py": """
from flask import Flask
app = Flask(__name__)
@app.cli.command("seed")
def seed(): ...
""",
    "commands/of_quart.py": "from quart import Quart\napp = Quart(__name__)\n"
    "@app.cli.command('sown')\ndef sown(): ...\n",
    "commands/of_argparse.py": """
import argparse
def run(given): ...
parser = argparse.ArgumentParser()
below = parser.add_subparsers()
serve = below.add_parser("serve")
serve.set_defaults(func=run)
""",
    "shop/management/commands/tidy.py": "class Command:\n    def handle(self): ...\n",
    "commands/cobra/main.go": """package cobra

import "github.com/spf13/cobra"

func run(cmd *cobra.Command, args []string) {}

var root = &cobra.Command{Use: "root"}
var below = &cobra.Command{Use: "below [file]", Run: run}

func init() { root.AddCommand(below) }
""",
    "commands/urfave/main.go": """package urfave

import "github.com/urfave/cli/v2"

func count(c *cli.Context) error { return nil }

var app = &cli.App{Commands: []*cli.Command{{Name: "count", Action: count}}}
""",
    "commands/simplecobra/main.go": """package simplecobra

import "github.com/bep/simplecobra"

type command struct {
	name     string
	commands []simplecobra.Commander
}

func (c *command) Name() string { return c.name }
func (c *command) Commands() []simplecobra.Commander { return c.commands }
func (c *command) Init(cd *simplecobra.Commandeer) error { return nil }
func (c *command) PreRun(cd, runner *simplecobra.Commandeer) error { return nil }
func (c *command) Run(args []string) error { return nil }

func exec() (*simplecobra.Exec, error) {
	return simplecobra.New(&command{commands: []simplecobra.Commander{&command{name: "weigh"}}})
}
""",
    "commands/of_commander.js": """
const { program } = require("commander");
function run() {}
program.command("serve <port>").action(run);
""",
    "commands/of_commander_typed.ts": """
import { program } from "@commander-js/extra-typings";
function run() {}
program.command("typed").action(run);
""",
    "commands/of_cac.js": """
const cac = require("cac");
const cli = cac("tool");
function run() {}
cli.command("build", "Build it").action(run);
""",
    "commands/of_yargs.js": """
const yargs = require("yargs");
function run() {}
yargs.command("start", "Start it", {}, run);
""",
    "commands/Pico.java": """package c;
import picocli.CommandLine.Command;
@Command(name = "pico")
class Pico {}
""",
}
"""What is run from a shell."""

LARAVEL = {
    "laravel/routes/web.php": """<?php
use Illuminate\\Support\\Facades\\Route;
use App\\PageController;
use App\\TeamController;
Route::get('/', [PageController::class, 'home']);
Route::post('posted', PageController::class);
Route::put('put', [PageController::class, 'home']);
Route::patch('patched', [PageController::class, 'home']);
Route::delete('deleted', 'PageController@home');
Route::options('options', fn () => 1);
Route::any('any/', function () { return 1; });
Route::view('view', 'page');
Route::redirect('old', 'new');
Route::permanentRedirect('older', 'new');
Route::match(['get', 'post'], "matched/{$name}", PageController::class);
Route::fallback([PageController::class, 'home']);
Route::middleware('auth')->prefix('admin')->group(function () {
    Route::group(['prefix' => 'inner'], static function (): void {
        Route::get('x', [PageController::class, 'home'])->name('x');
    });
    Route::resource('big-teams', TeamController::class)->except(['destroy']);
});
Route::apiResource('teams.entries', TeamController::class)->only('show', 'update')->names('x');
Route::controller(PageController::class)->group(function () { Route::get('of-group', 'home'); });
Route::prefix('files')->group(base_path('routes/more.php'));
""",
    "laravel/routes/more.php": "<?php\nRoute::get('more', fn () => 1);\n",
    "laravel/routes/api.php": "<?php\nRoute::get('of-api', fn () => 1);\n",
    "laravel/bootstrap/app.php": """<?php
return Application::configure()->withRouting(api: __DIR__.'/../routes/api.php');
""",
    "laravel/app/PageController.php": """<?php
namespace App;
class PageController { public function home() {} public function __invoke() {} }
""",
    "laravel/app/TeamController.php": """<?php
namespace App;
class Everything { public function index() {} public function edit() {} public function update() {} }
class TeamController extends Everything {
    public function create() {}
    public function store() {}
    public function show() {}
    public function destroy() {}
}
""",
}

RAILS = {
    "rails/config/routes.rb": """Rails.application.routes.draw do
  root to: "pages#home"
  get "/got" => "pages#home", :as => "got"  # first
  put "put", to: "pages#home"
  patch("patched", to: "pages#home")
  delete "deleted",
    to: "pages#home"
  head "head", to: redirect("/got")
  options "options", to: "pages#home"
  match "matched" => "pages#home", :via => [:get, :post]
  match "any", to: "pages#home", via: :all
  # get "comment", to: "pages#home"
  resources :stories, except: [:destroy], param: :slug do
    member do
      post :flag
    end
    collection { get :unread }
    get :newest, on: :collection
    resources :replies, only: %i[index destroy]
  end
  resource :story, only: :show, controller: "stories"
  namespace :admin do
    scope path: "inner" do
      constraints id: /[a-z]/ do
        resources :pages, path: "sheets"
      end
    end
  end
  concern :unlisted do
    get "unlisted", to: "pages#home"
  end
  mount Shop::Engine, at: "/shop"
  if Rails.env.development?
    get "developed", to: "pages#home"
  end
end
""",
    "rails/config/routes/more.rb": 'scope "more" do\n  post "posted", to: "pages#home"\nend\n',
    "rails/app/controllers/pages_controller.rb": "class PagesController\n  def home\n  end\nend\n",
    "rails/app/controllers/admin/pages_controller.rb": """class Admin::PagesController
  def update
  end
end
""",
    "rails/app/controllers/replies_controller.rb": """class RepliesController
  def index
  end

  def destroy
  end

  def edit
  end
end
""",
    "rails/app/controllers/stories_controller.rb": "class StoriesController\n"
    + _lines("  def WORD\n  end\n", "index", "new", "create", "show", "edit", "update", "flag", "unread", "newest")
    + "end\n",
}

SOURCES: dict[str, str] = {
    **ROUTES,
    **LARAVEL,
    **RAILS,
    **ANNOTATED,
    **TASKS,
    **SIGNALS,
    **MODELS,
    **ENVIRONMENT,
    **COMMANDS,
}
