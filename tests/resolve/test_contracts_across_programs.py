"""Contracts between programs of one repository that import nothing of each other: pictures, pages, web sockets, native
code, queues. Each case is a small repository, with all edges that cross."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from edits import edited

from rpg.encoder.encode import encode
from rpg.encoder.options import Options
from rpg.repository import encode as save

CASES = {
    "img_react": (
        r"""--- package.json
{"name":"x","dependencies":{"react":"1"}}
--- src/App.tsx
import React from 'react';
import logo from './assets/logo.png';
export function App() {
  return <div>
    <img src="/images/hero.jpg" alt="x" />
    <img src={logo} />
    <img src={require('./assets/deep/pic.webp')} />
    <img src="../assets/none.png" />
    <div style={{ backgroundImage: "url(/images/bg.png)" }} />
  </div>;
}
--- src/style.css
.a { background: url("./assets/logo.png"); }
.b { background: url(/images/bg.png); }
@font-face { src: url('/fonts/inter.woff2') format('woff2'); }
--- src/assets/logo.png
--- public/images/hero.jpg
--- src/assets/deep/pic.webp
--- public/images/bg.png
--- public/fonts/inter.woff2
--- index.html
<html><head><link rel="icon" href="/favicon.ico"></head></html>
--- public/favicon.ico
""",
        """
index.html:1 -> public/favicon.ico crossing
src/App.tsx:2 -> src/assets/logo.png crossing
src/App.tsx:5 -> public/images/hero.jpg crossing
src/App.tsx:7 -> src/assets/deep/pic.webp crossing
src/App.tsx:9 -> public/images/bg.png crossing
src/style.css:1 -> src/assets/logo.png crossing
src/style.css:2 -> public/images/bg.png crossing
src/style.css:3 -> public/fonts/inter.woff2 crossing
""",
    ),
    "img_django": (
        r"""--- manage.py
import django
--- shop/templates/a.html
{% load static %}
<img src="{% static 'shop/logo.png' %}">
<img src="/static/shop/plain.gif">
--- shop/static/shop/logo.png
--- shop/static/shop/plain.gif
--- shop/views.py
from django.templatetags.static import static
LOGO = static('shop/logo.png')
""",
        """
shop/templates/a.html:2 -> shop/static/shop/logo.png crossing
shop/templates/a.html:3 -> shop/static/shop/plain.gif crossing
shop/views.py:2 -> shop/static/shop/logo.png crossing
""",
    ),
    "links_next": (
        r"""--- package.json
{"dependencies":{"next":"14"}}
--- app/users/[id]/page.tsx
export default function UserPage() { return <div/>; }
--- app/about/page.tsx
export default function About() { return <div/>; }
--- app/page.tsx
import Link from 'next/link';
import { useRouter } from 'next/navigation';
export default function Home() {
  const router = useRouter();
  const id = 3;
  function go() { router.push(`/users/${id}`); }
  return <div>
    <Link href="/about">x</Link>
    <Link href={`/users/${id}`}>y</Link>
    <Link href={{ pathname: '/about' }}>z</Link>
    <a href="/about">q</a>
  </div>;
}
--- app/actions.ts
import { redirect } from 'next/navigation';
export function leave() { redirect('/about'); }
--- pages/blog/[slug].tsx
export default function Post() { return <div/>; }
--- components/Nav.tsx
import Link from 'next/link';
export function Nav({ slug }) { return <Link href={'/blog/' + slug}>b</Link>; }
""",
        """
app/actions.ts:2 -> app/about/page.tsx crossing
app/page.tsx:10 -> app/about/page.tsx crossing
app/page.tsx:11 -> app/about/page.tsx crossing
app/page.tsx:6 -> app/users/[id]/page.tsx crossing
app/page.tsx:8 -> app/about/page.tsx crossing
app/page.tsx:9 -> app/users/[id]/page.tsx crossing
components/Nav.tsx:2 -> pages/blog/[slug].tsx crossing
""",
    ),
    "links_rr": (
        r"""--- package.json
{"dependencies":{"react-router-dom":"6"}}
--- src/App.tsx
import { Routes, Route, BrowserRouter } from 'react-router-dom';
import { Users } from './Users';
import { User } from './User';
export function App() {
  return <BrowserRouter><Routes>
    <Route path="/users" element={<Users />} />
    <Route path="/users/:id" element={<User />} />
  </Routes></BrowserRouter>;
}
--- src/Users.tsx
import { Link, useNavigate, NavLink } from 'react-router-dom';
export function Users() {
  const navigate = useNavigate();
  const go = () => navigate('/users');
  return <div><Link to={`/users/${1}`}>a</Link>
  <NavLink to="/users">b</NavLink></div>;
}
--- src/User.tsx
export function User() { return <div/>; }
""",
        """
src/Users.tsx:4 -> src/App.tsx::App crossing
src/Users.tsx:4 -> src/Users.tsx::Users crossing
src/Users.tsx:5 -> src/App.tsx::App crossing
src/Users.tsx:5 -> src/User.tsx::User crossing
src/Users.tsx:6 -> src/App.tsx::App crossing
""",
    ),
    "links_rr_data": (
        r"""--- package.json
{"dependencies":{"react-router-dom":"6"}}
--- src/router.tsx
import { createBrowserRouter } from 'react-router-dom';
import Home from './Home';
import Cart from './Cart';
export const router = createBrowserRouter([
  { path: '/', element: <Home />, children: [
    { path: 'cart', element: <Cart /> },
  ]},
]);
--- src/Home.tsx
import { Link } from 'react-router-dom';
export default function Home() { return <Link to="/cart">c</Link>; }
--- src/Cart.tsx
export default function Cart() { return null; }
""",
        """
src/Home.tsx:2 -> src/Cart.tsx::Cart crossing
src/Home.tsx:2 -> src/router.tsx::router crossing
""",
    ),
    "links_vue": (
        r"""--- package.json
{"dependencies":{"vue":"3","vue-router":"4"}}
--- src/router/index.ts
import { createRouter, createWebHistory } from 'vue-router';
import HomeView from '../views/HomeView.vue';
const routes = [
  { path: '/', name: 'home', component: HomeView },
  { path: '/orders/:id', name: 'order', component: () => import('../views/OrderView.vue') },
];
export default createRouter({ history: createWebHistory(), routes });
--- src/views/HomeView.vue
<template>
  <router-link to="/">home</router-link>
  <RouterLink :to="{ name: 'order', params: { id: 3 } }">o</RouterLink>
  <router-link :to="`/orders/${id}`">o</router-link>
</template>
<script setup>
import { useRouter } from 'vue-router';
const router = useRouter();
function go(id) {
  router.push('/orders/' + id);
  router.push({ name: 'home' });
}
</script>
--- src/views/OrderView.vue
<template><div/></template>
<script>
export default { methods: { back() { this.$router.push({ name: 'home' }); } } }
</script>
""",
        """
src/views/HomeView.vue:10 -> src/router/index.ts::routes crossing
src/views/HomeView.vue:10 -> src/views/OrderView.vue crossing
src/views/HomeView.vue:11 -> src/router/index.ts::routes crossing
src/views/HomeView.vue:11 -> src/views/HomeView.vue::default crossing
src/views/HomeView.vue:2 -> src/router/index.ts::routes crossing
src/views/HomeView.vue:2 -> src/views/HomeView.vue::default crossing
src/views/HomeView.vue:3 -> src/router/index.ts::routes crossing
src/views/HomeView.vue:3 -> src/views/OrderView.vue crossing
src/views/HomeView.vue:4 -> src/router/index.ts::routes crossing
src/views/HomeView.vue:4 -> src/views/OrderView.vue crossing
src/views/OrderView.vue:3 -> src/router/index.ts::routes crossing
src/views/OrderView.vue:3 -> src/views/HomeView.vue::default crossing
""",
    ),
    "links_angular": (
        r"""--- package.json
{"dependencies":{"@angular/router":"17"}}
--- src/app/app.routes.ts
import { Routes } from '@angular/router';
import { ListComponent } from './list.component';
import { ItemComponent } from './item.component';
export const routes: Routes = [
  { path: 'items', component: ListComponent },
  { path: 'items/:id', component: ItemComponent },
];
--- src/app/list.component.ts
import { Component } from '@angular/core';
import { Router } from '@angular/router';
@Component({ selector: 'app-list', templateUrl: './list.component.html' })
export class ListComponent {
  constructor(private router: Router) {}
  open(id: number) { this.router.navigate(['/items', id]); }
  back() { this.router.navigateByUrl('/items'); }
}
--- src/app/list.component.html
<a routerLink="/items">x</a>
<a [routerLink]="['/items', item.id]">x</a>
--- src/app/item.component.ts
import { Component } from '@angular/core';
@Component({ selector: 'app-item', template: '<div></div>' })
export class ItemComponent {}
""",
        """
src/app/list.component.html:1 -> src/app/app.routes.ts::routes crossing
src/app/list.component.html:1 -> src/app/list.component.ts::ListComponent crossing
src/app/list.component.html:2 -> src/app/app.routes.ts::routes crossing
src/app/list.component.html:2 -> src/app/item.component.ts::ItemComponent crossing
src/app/list.component.ts:6 -> src/app/app.routes.ts::routes crossing
src/app/list.component.ts:6 -> src/app/item.component.ts::ItemComponent crossing
src/app/list.component.ts:7 -> src/app/app.routes.ts::routes crossing
src/app/list.component.ts:7 -> src/app/list.component.ts::ListComponent crossing
""",
    ),
    "socketio": (
        r"""--- package.json
{"dependencies":{"socket.io":"4"}}
--- server/index.js
const { Server } = require('socket.io');
const io = new Server(3000);
io.on('connection', (socket) => {
  socket.on('chat:message', (msg) => {
    io.emit('chat:broadcast', msg);
  });
  socket.on('join', onJoin);
  socket.to('room').emit('typing', 1);
});
function onJoin(room) { }
--- client/src/chat.ts
import { io } from 'socket.io-client';
const socket = io('/');
export function send(text: string) {
  socket.emit('chat:message', text);
  socket.emit('join', 'a');
}
function show(m: string) {}
socket.on('chat:broadcast', show);
export function listen() { socket.on('typing', () => {}); }
""",
        """
client/src/chat.ts:4 -> server/index.js crossing
client/src/chat.ts:5 -> server/index.js::onJoin crossing
server/index.js:5 -> client/src/chat.ts::show crossing
server/index.js:8 -> client/src/chat.ts::listen crossing
""",
    ),
    "socketio_py": (
        r"""--- app.py
from flask import Flask
from flask_socketio import SocketIO, emit
app = Flask(__name__)
socketio = SocketIO(app)

@socketio.on('vote')
def on_vote(data):
    emit('results', data, broadcast=True)
    socketio.emit('results', {})
--- static/js/vote.js
const socket = io();
socket.on('results', function (d) { render(d); });
function vote() { socket.emit('vote', 1); }
""",
        """
app.py:8 -> static/js/vote.js crossing
app.py:9 -> static/js/vote.js crossing
static/js/vote.js:3 -> app.py::on_vote crossing
""",
    ),
    "socketio_nest": (
        r"""--- src/chat.gateway.ts
import { WebSocketGateway, SubscribeMessage, WebSocketServer } from '@nestjs/websockets';
import { Server } from 'socket.io';
@WebSocketGateway()
export class ChatGateway {
  @WebSocketServer() server: Server;
  @SubscribeMessage('send')
  handleSend(client: any, text: string) {
    this.server.emit('recv', text);
  }
}
--- web/src/useChat.ts
import { io, Socket } from 'socket.io-client';
export function useChat() {
  const socketRef = { current: io() };
  socketRef.current.on('recv', (t) => {});
  socketRef.current.emit('send', 'x');
}
""",
        """
src/chat.gateway.ts:8 -> web/src/useChat.ts::useChat crossing
web/src/useChat.ts:5 -> src/chat.gateway.ts::ChatGateway.handleSend crossing
""",
    ),
    "phoenix": (
        r"""--- lib/app_web/channels/user_socket.ex
defmodule AppWeb.UserSocket do
  use Phoenix.Socket
  channel "room:*", AppWeb.RoomChannel
end
--- lib/app_web/channels/room_channel.ex
defmodule AppWeb.RoomChannel do
  use AppWeb, :channel
  def join("room:" <> id, _params, socket) do
    {:ok, socket}
  end
  def handle_in("new_msg", %{"body" => body}, socket) do
    broadcast!(socket, "shout", %{body: body})
    {:noreply, socket}
  end
end
--- assets/js/socket.js
import { Socket } from "phoenix";
let socket = new Socket("/socket", {});
let channel = socket.channel("room:lobby", {});
export function say(b) { channel.push("new_msg", { body: b }); }
export function hear() { channel.on("shout", (p) => {}); }
""",
        """
assets/js/socket.js:3 -> lib/app_web/channels/room_channel.ex::AppWeb.RoomChannel crossing
assets/js/socket.js:4 -> lib/app_web/channels/room_channel.ex::AppWeb.RoomChannel.handle_in crossing
lib/app_web/channels/room_channel.ex:7 -> assets/js/socket.js::hear crossing
""",
    ),
    "actioncable": (
        r"""--- Gemfile
gem 'rails'
--- app/channels/chat_channel.rb
class ChatChannel < ApplicationCable::Channel
  def subscribed
    stream_from "chat_room"
  end
  def speak(data)
    ActionCable.server.broadcast "chat_room", data
  end
end
--- app/javascript/channels/chat_channel.js
import consumer from "./consumer"
const chat = consumer.subscriptions.create("ChatChannel", {
  received(data) {},
  speak(m) { return this.perform('speak', { message: m }); }
});
--- app/javascript/channels/consumer.js
import { createConsumer } from "@rails/actioncable"
export default createConsumer()
""",
        """
app/channels/chat_channel.rb:6 -> app/channels/chat_channel.rb::ChatChannel.subscribed crossing
app/javascript/channels/chat_channel.js:2 -> app/channels/chat_channel.rb::ChatChannel crossing
app/javascript/channels/chat_channel.js:4 -> app/channels/chat_channel.rb::ChatChannel.speak crossing
""",
    ),
    "djchannels": (
        r"""--- chat/routing.py
from django.urls import re_path
from . import consumers
websocket_urlpatterns = [
    re_path(r"ws/chat/(?P<room>\w+)/$", consumers.ChatConsumer.as_asgi()),
]
--- chat/consumers.py
from channels.generic.websocket import AsyncWebsocketConsumer
class ChatConsumer(AsyncWebsocketConsumer):
    async def receive(self, text_data):
        await self.channel_layer.group_send("g", {"type": "chat.message", "message": text_data})
    async def chat_message(self, event):
        pass
--- static/js/chat.js
export function open(room) {
  const s = new WebSocket('ws://' + window.location.host + '/ws/chat/' + room + '/');
}
""",
        """
chat/consumers.py:4 -> chat/consumers.py::ChatConsumer.chat_message crossing
static/js/chat.js:2 -> chat/consumers.py::ChatConsumer possible-crossing
""",
    ),
    "stomp": (
        r"""--- src/main/java/a/ChatController.java
package a;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.stereotype.Controller;
@Controller
public class ChatController {
    private final org.springframework.messaging.simp.SimpMessagingTemplate template;
    @MessageMapping("/chat.send")
    @SendTo("/topic/public")
    public String send(String m) { return m; }
    void push() { template.convertAndSend("/topic/alerts", "x"); }
}
--- web/main.js
import { Stomp } from '@stomp/stompjs';
const stompClient = Stomp.client('/ws');
export function connect() { stompClient.subscribe('/topic/public', onMessage); }
function onMessage(p) {}
export function alerts() { stompClient.subscribe('/topic/alerts', (p) => {}); }
export function say() { stompClient.send("/app/chat.send", {}, "x"); }
export function say2() { stompClient.publish({ destination: '/app/chat.send', body: 'x' }); }
""",
        """
src/main/java/a/ChatController.java:11 -> web/main.js::alerts crossing
src/main/java/a/ChatController.java:9 -> web/main.js::onMessage crossing
web/main.js:6 -> src/main/java/a/ChatController.java::ChatController.send crossing
web/main.js:7 -> src/main/java/a/ChatController.java::ChatController.send crossing
""",
    ),
    "cgo_ctypes": (
        r"""--- native/calc.h
int calc_add(int a, int b);
--- native/calc.c
#include "calc.h"
int calc_add(int a, int b) { return a + b; }
--- native/calc.go
package native
/*
#cgo CFLAGS: -I.
#include "calc.h"
*/
import "C"
func Add(a, b int) int { return int(C.calc_add(C.int(a), C.int(b))) }
--- py/calc.py
import ctypes
lib = ctypes.CDLL("./libcalc.so")
def add(a, b):
    return lib.calc_add(a, b)
--- rs/src/lib.rs
use std::os::raw::c_int; extern "C" { fn calc_add(a: c_int, b: c_int) -> c_int; }
pub fn add(a: i32, b: i32) -> i32 { unsafe { calc_add(a, b) } }
--- py/cf.py
from cffi import FFI
ffi = FFI()
ffi.cdef("int calc_add(int a, int b);")
lib2 = ffi.dlopen("libcalc.so")
def add2(a, b):
    return lib2.calc_add(a, b)
--- dotnet/Calc.cs
using System.Runtime.InteropServices;
public static class Calc {
    [DllImport("calc")]
    public static extern int calc_add(int a, int b);
}
--- dart/calc.dart
import 'dart:ffi';
final lib = DynamicLibrary.open('libcalc.so');
final add = lib.lookupFunction<Int32 Function(Int32, Int32), int Function(int, int)>('calc_add');
""",
        """
dart/calc.dart:3 -> native/calc.c::calc_add crossing
dotnet/Calc.cs:4 -> native/calc.c::calc_add crossing
native/calc.go:7 -> native/calc.c::calc_add crossing
py/calc.py:4 -> native/calc.c::calc_add crossing
py/cf.py:6 -> native/calc.c::calc_add crossing
rs/src/lib.rs:1 -> native/calc.c::calc_add crossing
rs/src/lib.rs:2 -> native/calc.c::calc_add crossing
""",
    ),
    "redis_nats_sqs": (
        r"""--- a/pub.go
package a
import "github.com/nats-io/nats.go"
const subj = "orders.created"
func Pub(nc *nats.Conn) { nc.Publish(subj, nil) }
--- b/sub.ts
import { connect } from 'nats';
export async function run() {
  const nc = await connect({});
  const sub = nc.subscribe('orders.created');
  nc.subscribe('orders.*');
}
--- c/sub.py
import redis
r = redis.Redis()
def listen():
    p = r.pubsub()
    p.subscribe('news')
--- d/pub.js
const Redis = require('ioredis');
const pub = new Redis();
function tell() { pub.publish('news', 'x'); }
--- e/q.py
import boto3
sqs = boto3.client('sqs')
def send(url):
    sqs.send_message(QueueUrl='https://sqs.us-east-1.amazonaws.com/1/mail-queue', MessageBody='x')
--- e/q2.py
import boto3
def poll():
    boto3.client('sqs').receive_message(QueueUrl='https://sqs.us-east-1.amazonaws.com/1/mail-queue')
--- f/lists.py
import redis
r = redis.Redis()
def push(): r.rpush('work', 'x')
--- f/w.js
const { createClient } = require('redis');
const client = createClient();
async function work() { await client.blPop('work', 0); }
--- f/w.cs
using StackExchange.Redis;
class W { void F(IDatabase db) { db.ListLeftPop("work"); } }
--- g/s.go
package g
import "github.com/redis/go-redis/v9"
import "context"
func Tell(rdb *redis.Client) { rdb.Publish(context.Background(), "news", "y") }
func Stream(rdb *redis.Client) { rdb.XAdd(context.Background(), &redis.XAddArgs{Stream: "events"}) }
--- g/s.py
import redis
r = redis.Redis()
def read():
    r.xreadgroup('g', 'c', {'events': '>'})
""",
        """
a/pub.go:4 -> b/sub.ts::run crossing
d/pub.js:3 -> c/sub.py::listen crossing
e/q.py:4 -> e/q2.py::poll crossing
f/lists.py:3 -> f/w.cs::W.F possible-crossing
f/lists.py:3 -> f/w.js::work possible-crossing
g/s.go:4 -> c/sub.py::listen crossing
""",
    ),
    "kafka_value": (
        r"""--- a/src/main/java/a/P.java
package a;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.beans.factory.annotation.Value;
class P {
  KafkaTemplate<String,String> kafkaTemplate;
  @Value("${app.topics.orders}")
  private String topic;
  void send() { kafkaTemplate.send(topic, "x"); }
}
--- a/src/main/java/a/L.java
package a;
import org.springframework.kafka.annotation.KafkaListener;
class L {
  @KafkaListener(topics = "${app.topics.orders:orders}")
  void on(String s) { }
}
""",
        """
a/src/main/java/a/P.java:8 -> a/src/main/java/a/L.java::L.on possible-crossing
""",
    ),
    "ws1": (
        r"""--- main.go
package main

import (
	"net/http"
	"fmt"
)

func main() {
	fmt.Println("x")
	http.HandleFunc("/ws", serveWs)
	http.HandleFunc("/users/all", users)
}
func serveWs(w http.ResponseWriter, r *http.Request) {}
func users(w http.ResponseWriter, r *http.Request) {}
--- web/a.js
export function go() { return new WebSocket('ws://localhost:8080/ws'); }
export function go2() { return fetch('/users/all'); }
""",
        """
web/a.js:1 -> main.go::serveWs crossing
web/a.js:2 -> main.go::users crossing
""",
    ),
    "client_class": (
        r"""--- web/api.js
import axios from 'axios'
class Api {
  constructor() {
    this.instance = axios.create({ baseURL: '/v1' })
  }
  request(method, url, data = {}) {
    return this.instance({ method, url, data })
  }
  get(url) {
    return this.request('GET', url, {})
  }
}
export default new Api()
--- web/roles.ts
import Api from './api'
export class Roles {
  constructor(private readonly request = Api) {}
  async list() {
    const url = `/roles`
    return await this.request.get(url)
  }
}
--- back/urls.py
from django.urls import path
from .views import Roles
urlpatterns = [path(route="v1/roles", view=Roles.as_view(), name="roles")]
--- back/views.py
class Roles:
    def get(self, request): ...
--- back/tests/test_views.py
from django.urls import reverse
def test_roles(client):
    url = reverse(viewname="roles")
    url = reverse("roles", args=[1])
""",
        """
back/tests/test_views.py:3 -> back/urls.py::urlpatterns crossing
back/tests/test_views.py:3 -> back/views.py::Roles crossing
back/tests/test_views.py:3 -> back/views.py::Roles crossing
back/tests/test_views.py:4 -> back/urls.py::urlpatterns crossing
back/tests/test_views.py:4 -> back/views.py::Roles crossing
back/tests/test_views.py:4 -> back/views.py::Roles crossing
web/roles.ts:6 -> back/views.py::Roles crossing
""",
    ),
    "wiring": (
        r"""--- docker-compose.yml
services:
  web:
    build:
      context: ./web
      args:
        baseVersion: "3"
--- web/Dockerfile
ARG baseVersion
FROM x:$baseVersion
--- k8s/secret.yml
apiVersion: v1
kind: Secret
metadata:
  name: db-secret
stringData:
  username: me
--- k8s/app.yml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
        - name: web
          env:
            - name: DB_USER
              valueFrom:
                secretKeyRef:
                  name: db-secret
                  key: username
--- gradle.properties
bootVersion=3
--- build.gradle
dependencies { implementation "x:y:$bootVersion" }
task packAll(type: Zip) { }
--- go.sh
export API_HOST=1
./gradlew --parallel packAll
./tools/wait.sh
--- tools/wait.sh
echo x
--- other/wait.sh
echo y
--- web/main.py
import os
H = os.environ["API_HOST"]
""",
        """
build.gradle:1 -> gradle.properties crossing
go.sh:2 -> build.gradle crossing
go.sh:3 -> tools/wait.sh crossing
k8s/app.yml:15 -> k8s/secret.yml::Secret.db-secret crossing
web/Dockerfile:1 -> docker-compose.yml::services.web crossing
web/main.py:2 -> go.sh::API_HOST possible-crossing
""",
    ),
    "nuxt_vuex": (
        r"""--- nuxt.config.js
export default { plugins: ['~/plugins/role.ts'] }
--- plugins/role.ts
export default () => {}
--- layouts/workspace.vue
<template><nuxt /></template>
--- middleware/check-auth.js
export default function ({ store }) {
  store.dispatch('auth/init')
}
--- store/auth.js
export const actions = {
  async init({ commit }) {
    commit('setUser', 1)
  }
}
export const mutations = {
  setUser(state, user) {
    state.user = user
  }
}
export const getters = {
  isStaff(state) {
    return state.user
  }
}
--- pages/index.vue
<template><nuxt-link :to="localePath('/projects')">x</nuxt-link></template>
<script>
import { mapGetters } from 'vuex'
export default {
  layout: 'workspace',
  middleware: ['check-auth'],
  computed: { ...mapGetters('auth', ['isStaff']) }
}
</script>
--- pages/projects/index.vue
<template><div/></template>
""",
        """
middleware/check-auth.js:2 -> store/auth.js::actions.init crossing
nuxt.config.js:1 -> plugins/role.ts crossing
pages/index.vue:1 -> pages/projects/index.vue crossing
pages/index.vue:5 -> layouts/workspace.vue crossing
pages/index.vue:6 -> middleware/check-auth.js crossing
pages/index.vue:7 -> store/auth.js::getters.isStaff crossing
store/auth.js:3 -> store/auth.js::mutations.setUser crossing
""",
    ),
    "django_names": (
        r"""--- conf/settings/base.py
IMPORT_SIZE = 3
--- conf/settings/production.py
from .base import *
IMPORT_SIZE = 4
--- shop/models.py
class Item:
    pass
--- shop/work.py
from django.conf import settings
from django.apps import apps
def f():
    return settings.IMPORT_SIZE
def g():
    return apps.get_model("shop", "Item")
""",
        """
shop/work.py:4 -> conf/settings/base.py::IMPORT_SIZE crossing
shop/work.py:4 -> conf/settings/production.py::IMPORT_SIZE possible-crossing
shop/work.py:6 -> shop/models.py::Item crossing
""",
    ),
    "django_fields": (
        r"""--- shop/models.py
from django.db import models
class Base(models.Model):
    owner = models.ForeignKey("auth.User", on_delete=models.CASCADE)
class Item(Base):
    title = models.CharField(max_length=10)
class Line(models.Model):
    item = models.ForeignKey(Item, related_name="lines", on_delete=models.CASCADE)
    amount = models.IntegerField()
--- shop/admin.py
from django.contrib import admin
from .models import Item
class ItemAdmin(admin.ModelAdmin):
    list_display = ("title", "owner")
admin.site.register(Item, ItemAdmin)
--- shop/views.py
from rest_framework import generics
from .models import Line
class Lines(generics.ListAPIView):
    ordering_fields = ["amount"]
    def get_queryset(self):
        return Line.objects.filter(item_id=3, item__title__in=["x"])
""",
        """
shop/admin.py:4 -> shop/models.py::Base.owner crossing
shop/admin.py:4 -> shop/models.py::Item.title crossing
shop/views.py:4 -> shop/models.py::Line.amount crossing
shop/views.py:6 -> shop/models.py::Item.title possible-crossing
shop/views.py:6 -> shop/models.py::Line.item crossing
shop/views.py:6 -> shop/models.py::Line.item crossing
""",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_named_across_programs_is_an_edge(tmp_path: Path, name: str) -> None:
    expected = CASES[name][1]
    write_case(tmp_path, name)
    graph = encode(tmp_path / "repo", Options()).graph
    paths = {symbol.id: symbol.path for symbol in graph.symbols}
    found = [
        f"{paths[edge.source]}:{line} -> {edge.target} {edge.via}"
        for edge in graph.edges
        if "crossing" in edge.via
        for line, _ in edge.sites
    ]
    assert sorted(found) == expected.split("\n")[1:-1]


def write_case(folder: Path, name: str) -> Path:
    for part in re.split(r"^--- ", CASES[name][0], flags=re.MULTILINE)[1:]:
        path, _, text = part.partition("\n")
        file = folder / "repo" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder / "repo"


@pytest.mark.parametrize(
    ("name", "path", "old", "new"),
    [
        ("links_rr", "src/App.tsx", '"/users/:id"', '"/people/:id"'),
        ("links_next", "components/Nav.tsx", "/blog/", "/blogs/"),
        ("nuxt_vuex", "store/auth.js", "isStaff", "isAdmin"),
        ("django_fields", "shop/models.py", "title", "heading"),
        ("django_names", "conf/settings/base.py", "IMPORT_SIZE", "EXPORT_SIZE"),
        ("cgo_ctypes", "native/calc.c", "calc_add(", "calc_sum("),
        ("wiring", "gradle.properties", "bootVersion", "shoeVersion"),
        ("socketio", "client/src/chat.ts", "chat:message", "chat:note"),
    ],
)
def test_an_edit_of_one_side_leaves_the_edges_of_a_clean_encode(
    tmp_path: Path, name: str, path: str, old: str, new: str
) -> None:
    write_case(tmp_path, name)

    edited(tmp_path, path, old, new)


def test_a_picture_that_goes_takes_its_edges_and_new_bytes_change_nothing(tmp_path: Path) -> None:
    root, graph, clean = write_case(tmp_path, "img_react"), tmp_path / "kept.graph.json", tmp_path / "clean.graph.json"
    save(root, graph, Options())
    first = graph.read_bytes()
    (root / "public/images/hero.jpg").write_bytes(b"\xff\xd8\0")
    save(root, graph, Options())
    assert graph.read_bytes() == first
    (root / "public/images/hero.jpg").unlink()
    save(root, graph, Options())
    save(root, clean, Options(), full=True)
    assert graph.read_bytes() == clean.read_bytes()
    assert b"hero.jpg" not in clean.read_bytes()
