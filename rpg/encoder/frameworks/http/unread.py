"""Web frameworks whose routes nothing here reads: a list of routes names them where a repository imports them.

In: nothing. Out: a table. A framework that is read leaves it.
"""

from __future__ import annotations

_SCRIPT = (
    "koa koa-router @koa/router @hapi/hapi hapi restify @adonisjs/core @loopback/rest sails polka elysia h3 itty-router"
)
UNREAD = {
    "python": "tornado bottle sanic pyramid falcon aiohttp cherrypy web litestar robyn blacksheep",
    "javascript": _SCRIPT, "typescript": _SCRIPT, "tsx": _SCRIPT,
    "go": "github.com/valyala/fasthttp github.com/julienschmidt/httprouter github.com/beego/beego "
          "github.com/gobuffalo/buffalo github.com/kataras/iris github.com/emicklei/go-restful "
          "github.com/uptrace/bunrouter goji.io",
    "ruby": "sinatra hanami grape roda padrino cuba",
    "php": "Slim Cake CodeIgniter Yiisoft yii Phalcon Laminas",
    "rust": "warp poem salvo tide gotham rouille iron",
    "java": "io.javalin spark io.vertx.ext.web io.helidon play.mvc ratpack org.restlet",
    "kotlin": "io.ktor.server org.http4k io.javalin",
    "scala": "akka.http org.http4s play.api.mvc zio.http cask sttp.tapir",
    "csharp": "Nancy Carter FastEndpoints ServiceStack",
    "elixir": "Phoenix Plug.Router",
    "swift": "Vapor Hummingbird Kitura",
    "dart": "shelf shelf_router dart_frog",
}  # fmt: skip
"""By language: packages, separated by blanks."""
