"""Histories of small repositories: files made of a few names that mean each other across files, and steps that change
them as people and their tools do.

In: what hypothesis draws. Out: `History`, which is plain data. How a step is done to a folder is in `Folder`.

A block of code is one number: it is taken apart into a template and the names that fill it, so that a file is a short
list of numbers, and shrinks like one. The names are few on purpose: every block has a fair chance to name something
that another file defines, defined a moment ago, or will define with the next step.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st
from repositories import commit, git, read

NAMES = {
    "f": ("total", "price", "make", "send"),
    "F": ("total", "price", "make", "send"),
    "m": ("total", "close", "add"),
    "M": ("total", "close", "add"),
    "C": ("Cart", "Base", "Order"),
    "B": ("Cart", "Base", "Order"),
    "n": ("Cart", "Base", "Order", "total", "price", "make"),
    "N": ("Cart", "Base", "Order", "total", "price", "make"),
    "a": ("owner", "items"),
    "w": ("what a customer is about to buy", "sums prices with tax", "sends one order"),
}
"""What stands for {f} and the like in a template. Two letters of one sort are two choices."""

BLOCKS: dict[str, tuple[str, ...]] = {
    "py": (
        "from {p} import {n}\n",
        "from {p} import {n}\n",
        "from {p} import {n} as {N}\n",
        "from {p} import *\n",
        "from . import {n}\n",
        "import {d}\n\n{d}.{f}({d}.{C})\n",
        "class {C}:\n    {a} = None\n\n    def {m}(self, item):\n        return self.{M}(item)\n",
        "class {C}({B}):\n    def {m}(self):\n        return super().{M}()\n\n"
        "    def {M}(self) -> {B}:\n        return {f}()\n",
        "class {C}({B}, {N}):\n    def {m}(self):\n        return super().{M}()\n",
        "class {C}:\n    def {m}(self):\n        super().{m}()\n        return super().{M}()\n",
        'class {C}:\n    """{w}"""\n\n    def __init__(self, {a}: {B}):\n        self.{a} = {a}\n\n'
        "    def {m}(self):\n        return self.{a}.{M}()\n",
        "def {f}(item: {C}) -> {B}:\n    return item.{m}().{M}()\n",
        "def {f}():\n    found = {C}()\n    found.{m}()\n    return found\n",
        'def {f}(x, back={F}):\n    """{w}"""\n    x.{m}({F})\n    return back(x)\n',
        "{f} = {F}\n",
        "{C} = {B}\n",
        '__all__ = ["{f}", "{C}"]\n',
        "@{f}\ndef {F}(*args):\n    for each in {f}():\n        each.{m}()\n",
        "def test_{f}():\n    assert {f}() == {C}().{m}()\n",
        "try:\n    from {p} import {n}\nexcept ImportError:\n    {n} = None\n",
        "if {f}:\n    def {F}(): pass\nelse:\n    def {F}(x): return x.{m}\n",
        "def {f}():\n    from {p} import {n}\n\n    return {n}()\n",
        "import {d} as held\n\nkept = held\n\n\ndef {f}():\n    return kept.{F}()\n",
        "from {p} import kept\n\nkept.{f}().{m}()\n",
        "class {C}:\n    {f} = {F}\n\n    def __iter__(self):\n        return {f}()\n",
        "for each in {C}():\n    each.{m}()\n\n{C}.{f}().{m}()\n",
        "def {f}(x):\n    yield {F}()\n    yield x\n",
        "def {f}(x='a'):\n    def inner():\n        return x\n\n    return inner\n\n\n{f}('b')()\n",
        "# {w}\n\n\n",
        "from flask import Flask\n\n{f} = Flask(__name__)\n\n\n@{f}.route('/{m}/<x>')\n@{f}.post('/{M}')\n"
        "def {F}(x=1):\n    return x\n",
        "from {p} import {n}\n\nPART = '/{m}'\n\n\n@{n}.get('/{M}')\ndef {F}(x=1):\n    return {n}\n",
        "import requests\n\n\ndef {f}(x):\n    requests.get(f'http://localhost/{m}/{{x}}')\n"
        "    return requests.post('http://localhost/{M}')\n",
        "import requests\nfrom {p} import PART\n\n\ndef {f}(x):\n"
        "    return requests.get('http://shop' + PART + '/2')\n",
        "def (:\n",
    ),
    "ts": (
        'import {{ {n} }} from "{s}";\n',
        'import {{ {n} }} from "{s}";\n',
        'import {{ {n} as {N} }} from "{s}";\n',
        'import {C} from "{s}";\n',
        'import * as shop from "{s}";\nshop.{f}(new shop.{C}());\n',
        'export * from "{s}";\n',
        'export {{ {n} as {N} }} from "{s}";\n',
        "export class {C} {{\n  {a} = 1;\n  {m}(item) {{ return this.{M}(item); }}\n}}\n",
        "export class {C} extends {B} {{\n  {m}(): {B} {{ return super.{M}(); }}\n}}\n",
        "export default class {C} {{\n  constructor(private {a}: {B}) {{}}\n  {m}() {{ this.{a}.{M}(); }}\n}}\n",
        "export interface {C} {{\n  /** {w} */\n  {m}(): {B};\n}}\n",
        "export class {C} implements {B} {{ {m}() {{ return {f}(); }} }}\n",
        "/** {w} */\nexport function {f}(item: {C}): {B} {{\n  return item.{m}().{M}();\n}}\n",
        "export const {f} = (x) => {{ x.{m}({F}); return {F}(x); }};\n",
        "const {f} = {{ {m}: {F}, {M}() {{ return {C}; }} }};\n{f}.{m}();\n",
        "export function {f}() {{\n  const found = new {C}();\n  found.{m}();\n  return found;\n}}\n",
        'declare module "{s}" {{\n  interface {C} {{ {M}(): void }}\n}}\n',
        "export type {C} = {B} | null;\nexport enum {B} {{ {a} }}\n",
        'const {{ {f} }} = require("{s}");\nmodule.exports = {{ {f}, {F}: {f} }};\n',
        "{C}.prototype.{m} = function () {{ return this.{M}(); }};\n",
        "// {w}\n\n",
        'describe("{C}", () => {{\n  const {a} = {F}();\n  function {F}() {{ return {f}(); }}\n'
        '  it("{w}", () => {{ {a}.{m}(); }});\n  it("{w}", () => {f}(new {B}()));\n}});\n',
        'import {{ test as {n} }} from "vitest";\n{n}("{f}", () => {{ {f}().{m}(); }});\n',
        "export const {f} = async (x) => {{ await fetch(`/{m}/${{x}}`);\n"
        "  return fetch('/{M}', {{ method: 'POST' }}); }};\n",
        "export const {f} = (;\n",
    ),
    "vue": (
        '<script>\nimport {{ {f}, {F} }} from "{s}";\nimport {C} from "{s}";\nexport default {{\n'
        "  components: {{ {C} }},\n  methods: {{ {m}() {{ return {f}(); }}, {F} }},\n}};\n</script>\n",
        '<script setup lang="ts">\nimport {{ {f} }} from "{s}";\nimport {C} from "{s}";\n'
        "const {a} = new {C}();\n</script>\n",
        '<template>\n  <{C} @{n}="{m}" :{a}="{f}({F})" />\n'
        '  <i v-for="{a} of {f}()">{{{{ {a}.{M}() }}}}</i>\n</template>\n',
        "<!-- {w} -->\n<template><{C}>",
    ),
    "svelte": (
        '<script>\nimport {{ {f}, {F} }} from "{s}";\nimport {C} from "{s}";\nexport let {a};\n'
        "$: {n} = {f}({a});\n</script>\n",
        "<{C} on:click={{{f}}} bind:{a} />\n{{#each {f}($F) as {a}}}\n  <i use:{F}>{{{a}.{M}()}}</i>\n{{/each}}\n",
        "{{#if {a}}}<{C}>{{${n}}}",
    ),
    "astro": (
        '---\nimport {C} from "{s}";\nimport {{ {f} }} from "{s}";\ninterface Props {{ {a}: {B} }}\n'
        "const {{ {a} }} = Astro.props;\n---\n<{C} {a}={{{f}({a})}} />\n{{{a}.map((x) => <{C}>{{x.{m}()}}</{C}>)}}\n",
    ),
    "go": (
        'package {k}\n\nimport "example.org/shop/{g}"\n\nvar _ = {g}.{C}{{}}\n',
        "package {k}\n\ntype {C} struct {{\n\t{B}\n\t{a} {B}\n}}\n",
        "package {k}\n\nfunc (c *{C}) {m}() {B} {{\n\treturn c.{a}.{M}()\n}}\n",
        "package {k}\n\n// {f} {w}.\nfunc {f}(c {C}) {{\n\tc.{m}()\n\t{F}(c)\n}}\n",
        "package {k}\n\ntype {C} interface {{\n\t{m}() {B}\n}}\n",
        'package {k}\n\nimport "testing"\n\nfunc Test{C}(t *testing.T) {{\n'
        '\tt.Run("{w}", func(t *testing.T) {{\n\t\t{f}({B}{{}})\n\t}})\n}}\n',
    ),
    "Makefile": (
        "include rules.mk\n",
        "{f}: {F} {m}\n\tpython cart.py\n\t$(MAKE) {F}\n",
        "{n}: shop/cart.py\n\tcd shop && ./base.py\n",
        "# {w}\n.PHONY: {f}\n{f}:\n\tnpm run {F}\n",
    ),
    "Dockerfile": (
        "FROM python AS {f}\nWORKDIR /shop\nCOPY cart.py notes.txt ./\n",
        "FROM {f}\nRUN python cart.py && make {F}\nCOPY --from={F} /a /b\n",
    ),
    "yaml": (
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {f}\n",
        "---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: {f}\n",
        "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: {f}\nspec:\n  configMapRef:\n    name: {F}\n",
    ),
    "rb": (
        "class {C} < {B}\n  include {N}\n  def {m}\n    {M}\n    super\n  end\nend\n",
        'class {C} < ApplicationRecord\n  has_many :{a}, class_name: "{B}"\n  scope :{m}, -> {{ {M} }}\nend\n',
        "module {C}\n  def self.{m}({a})\n    {B}.new.{M}({a}.{f})\n  end\nend\n",
        "class {C}\n  attr_reader :{a}\n  def initialize({a})\n    @{a} = {B}.{m}\n    @{a}.{M}\n  end\nend\n",
        "module ActiveRecord\n  class {C}\n    def {m}; {f}; end\n  end\nend\n",
        "class ApplicationRecord < ActiveRecord::{B}\nend\n",
        "# {w}\n{C}.{m} do |each|\n  each.{M}\nend\n{C}::{B}.{f}(:{n})\n",
        "Rails.application.routes.draw do\n  get '/{f}', to: 'cart#{m}'\nend\n",
        "require_relative 'cart'\ndef {f}\n  render '{a}'\n  {F}\nend\n",
        "class {C} def\n",
    ),
    "erb": (
        "<%= {f} @{a} %>\n<%= render 'cart', {a}: {C}.{m} %>\n",
        "<p><% @{a}.each do |each| %><%= each.{M} %><% end %></p>\n<!-- {w} -->\n",
    ),
    "php": (
        "<?php\nnamespace Shop;\n\nclass {C} extends {B} {{\n  public {B} ${a};\n"
        "  public function {m}({C} $x) {{ $x->{M}(); return $this->{a}->{m}(); }}\n}}\n",
        "<?php\nnamespace App\\View\\Components;\n\nclass {C} {{\n  function {f}() {{ return 1; }}\n}}\n",
        "<?php\nfunction {f}({C} $x) {{\n  usort($x, '{F}');\n  return view('cart', [$x, '{m}']);\n}}\n",
        "<?php\nuse Shop\\{C};\n\n// {w}\nfunction {F}() {{ return (new {C}())->{M}(); }}\n",
    ),
    "blade": (
        "@extends('base')\n{{{{ {f}(1) }}}} <x-{a} :n=\"{F}()\"/>\n",
        "@foreach(\\Shop\\{C}::{m}() as $x)\n{{{{ $x->{M}() }}}}\n@endforeach\n@include('cart')\n",
        "@inject('{a}', 'Shop\\{C}')\n{{{{ ${a}->{m}() }}}} {w}\n",
    ),
    "tf": (
        'resource "{f}" "{a}" {{\n  name = var.{F}\n  for  = {n}.{a}.id\n}}\n',
        'variable "{f}" {{\n  description = "{w}"\n}}\n\noutput "{F}" {{\n  value = local.{m}\n}}\n',
        "locals {{\n  {m} = var.{f}\n  {M} = module.{a}.{F}\n}}\n",
        'module "{a}" {{\n  source = "./shop"\n  {f}   = local.{m}\n}}\n',
    ),
    "java": (
        "package shop;\n\nclass {C} extends {B} {{\n  {B} {a};\n  {B} {m}() {{ return {a}.{M}(); }}\n}}\n",
        "package shop;\n\n/** {w} */\ninterface {C} {{\n  {B} {m}({B} {a});\n}}\n",
        "import shop.{C};\n\nclass {B} implements {C} {{\n"
        "  void {m}({C} each) {{ each.{M}(); new {C}().{f}(); }}\n}}\n",
    ),
    "scala": (
        "package shop\n\n/** {w} */\ntrait {C} extends {B} {{\n  val {a}: {B}\n  def {m}: {B} = {a}.{M}\n}}\n",
        "package shop\n\nimport shop.{C}.{f}\nimport shop.{n}.*\n\n"
        "class {C}({a}: {B}) {{ def {m}(x: {B}) = {{ x.{M}; {f}({a}) }} }}\n\n"
        "object {C} {{ def {f}(x: {B}): {C} = new {C}(x); def apply(): {C} = {f}({B}()) }}\n",
        "package shop\n\ncase class {C}({a}: {B}) extends {N} {{ override def {m} = super.{M} }}\n\n"
        "object {B} {{ def unapply(x: {C}) = Some(x.{a}) }}\n",
        "package shop\n\nobject {C} extends {B} {{\n  def {m} = {M}\n"
        "  def {f}(x: Any) = x match {{ case {N}({a}) => {a}.{M}; case each: {B} => each.{F} }}\n}}\n",
        "package shop.{f}\n\nimport shop.{C}\n\nimplicit class {B}(x: {C}) {{ def {M} = x.{m} }}\n"
        "def {F}(each: {C}) = each.{M}.{m}\n",
        "package shop\n\nimport shop.{f}._\n\nextension (x: {C}) def {m}: {B} = x.{M}\n\n"
        "given {a}: {C} = {B}()\ndef {F}(using x: {C}) = x.{m}\n",
        "package object shop {{\n  type {C} = {B}\n  val {f} = {C}()\n  def {F} = {f}.{m}\n}}\n",
        "package shop\n\nenum {C} {{ case {B}({a}: Int), {N} }}\nimport {C}.{{{B} => Made}}\n"
        "def {f}(x: {C}) = {{ x.{m}; Made(1) }}\n",
        "package shop\n\nclass {C} {{ def (",
    ),
    "cs": (
        "namespace Shop;\n\npublic partial class {C} : {B}<{N}>\n{{\n    {B} {a};\n"
        "    public {B} {m}() {{ {M}({a}); return {a}.{M}(); }}\n}}\n",
        "namespace Shop;\n\n/** {w} */\npublic partial class {C}<T>\n{{\n    public {B} {a};\n"
        "    public T {m}(T {a}) {{ {M}({a}); return {a}; }}\n}}\n",
        "namespace Shop\n{{\n    public class {C}\n    {{\n"
        "        public {N} {m}({B}<{N}> each) {{ each.{M}(each.{a}).{M}(); return {f}<{N}>(); }}\n"
        "        public T {f}<T>() {{ return new {B}<T>().{m}(new {B}()); }}\n    }}\n}}\n",
    ),
    "rs": (
        "use crate::base::{C};\n\nimpl {C} {{\n    /// {w}\n    fn {m}(&self) -> {B} {{ self.{M}() }}\n}}\n",
        "pub struct {C} {{ {a}: {B} }}\n\npub fn {f}(x: &{C}) {{ x.{m}(); {F}(x.{a}) }}\n",
        "mod base;\npub trait {C} {{ fn {m}(&self); }}\nimpl {C} for {B} {{ fn {m}(&self) {{ {f}() }} }}\n",
    ),
    "sh": (
        "source ./rules.sh\n{f}() {{\n  {F} x\n}}\n{f}\n",
        "# {w}\npython cart.py\n{m}() {{ {f}; }}\n",
    ),
    "html": (
        '<link rel="stylesheet" href="cart.css">\n<p id="{a}" class="{f} {m}">{w}</p>\n'
        '<script src="cart.js"></script>\n',
        '<a href="#{a}" class="{n}" style="color: var(--{f})"></a>\n',
    ),
    "css": (
        '@import "base.css";\n.{f} .{m} {{ color: var(--{F}); }}\n',
        "/* {w} */\n:root {{ --{f}: 1px; }}\n.{n} {{ animation: {m} 1s; }}\n@keyframes {M} {{ to {{ top: 0; }} }}\n",
    ),
    "sql": (
        "-- {w}\nCREATE TABLE {C} (\n  {a} INT REFERENCES {B}({a})\n);\n",
        "CREATE VIEW {f} AS SELECT {a} FROM {C} JOIN {B} ON {C}.{a} = {B}.{a};\n",
    ),
    "adoc": ("= {w}\n\n`{f}`\n", "== {n}\n\n{w}\n"),
    "rst": (
        "{w}\n================================\n\n``{f}`` of {C}.\n",
        "{n}\n--------\n\n{w}\n\n",
        ".. literalinclude:: ../shop/cart.py\n\n:func:`shop.cart.{f}`\n\n>>> from shop.{p} import {n}\n>>> {n}()\n",
    ),
    "yml": ("{f}: {n}.{m}\n", "# {w}\nrun: ${{{C}}}\n"),
    "md": ("# {w}\n\n`{f}` of `{C}.{m}`\n", "## {n}\n\n`{C}`, `{n}`\n"),
}
"""By the language of a path; {p} and {d} are modules of Python, {s} of TypeScript, {k} and {g} packages of Go."""

LANGUAGE_OF = {"pyi": "py", "mk": "Makefile"} | dict.fromkeys(("tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"), "ts")

MODULES = {
    "p": ("cart", "base", "shop", "shop.cart", "shop.base", ".cart", ".base", ".", "..base", "shop.util", "json"),
    "d": ("cart", "shop", "shop.cart", "json"),
    "s": (
        "./cart", "./base", "./util", "../cart", "./cart.js", "@shop/core", "@/cart", "shop/base", ".", "./data.json",
        "./view", "./view.vue", "./list.svelte",
    ),
    "k": ("shop", "cart", "shop_test"),
    "g": ("cart", "shop"),
}  # fmt: skip

NOTEBOOK = (
    '{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# What a customer buys"]},\n'
    '{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": [%s]}],\n'
    '"metadata": {"kernelspec": {"language": "python", "name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}\n'
)

FIXED: dict[str, tuple[str, ...]] = {
    "pyproject.toml": (
        "[project]\nname = 'shop'\n",
        "[project]\nname = 'shop'\nversion = '2'\n",
        "[project.scripts]\ntotal = 'shop.cart:total'\nmake = 'cart:make'\nbase = 'shop.base:Base.close'\n",
        "[project.scripts]\nsend = 'shop:send'\nCart = 'cart:Cart.add'\n[tool.poe.tasks]\nrun = 'python -m cart'\n",
    ),
    "ci.yml": (
        "jobs:\n  total:\n    steps:\n      - run: make total\n      - run: python shop/cart.py\n",
        "jobs:\n  price:\n    needs: [total]\n    steps:\n      - run: |\n          cd shop\n          make price\n"
        "  total:\n    uses: ./.github/workflows/make.yml\n",
        "jobs:\n  total:\n    steps:\n      - run: npm run price && npm test\n",
    ),
    "setup.cfg": (
        "[metadata]\n",
        "[options.entry_points]\nconsole_scripts =\n    shop = shop.cart:total\n    cart = cart:Cart.total\n",
    ),
    "tsconfig.json": (
        '{"compilerOptions": {"baseUrl": "src"}}\n',
        '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}\n',
        '{"compilerOptions": {"paths": {"@/*": ["./lib/*"], "shop/*": ["./src/*"]}}}\n',
        '{"extends": "./base.json"}\n',
        "{",
    ),
    "base.json": ('{"compilerOptions": {"paths": {"@/*": ["./lib/*"]}}}\n',),
    "package.json": (
        '{"workspaces": ["packages/*"]}\n',
        '{"name": "@shop/core", "main": "src/index.ts"}\n',
        '{"name": "@shop/core", "scripts": {"price": "node src/old.js", "test": "npm run price"}}\n',
        '{"name": "@shop/core", "scripts": {"make": "node src/cart.ts", "price": "npm run make"}}\n',
    ),
    "packages/core/package.json": (
        '{"name": "@shop/core", "exports": "./src/index.ts"}\n',
        '{"name": "@shop/core", "main": "src/cart.ts"}\n',
        '{"name": "@shop/other"}\n',
    ),
    "data.json": ('{"price": 1}\n',),
    "go.mod": ("module example.org/shop\n", "module example.org/other\n"),
    ".gitignore": ("data.json\n", "*.tsx\n", "shop/\n", "lib\n"),
    "notes.txt": ("to do\n", "done\n"),
    "use.ipynb": (
        NOTEBOOK % '"from cart import total\\n", "total()"',
        NOTEBOOK % '"import shop.cart as held\\n", "held.price(held.Cart())"',
        NOTEBOOK % '"class Cart:\\n", "    def add(self): return make()"',
        NOTEBOOK.replace("4", "x") % "",
    ),
}
"""Files that say something about others: whole contents to choose from, by name or by path."""

PATHS: dict[str, tuple[str, ...]] = {
    "python": (
        "cart.py", "base.py", "shop/__init__.py", "shop/cart.py", "shop/base.py", "shop/util/__init__.py", "shop.py",
        "tests/test_cart.py", "src/shop/__init__.py", "src/shop/cart.py", "json.py", "shop/cart.pyi", "README.md",
        "pyproject.toml", "src/setup.cfg", ".gitignore", "notes.txt", "_vendor/base.py", "docs/use.rst", "deploy.yml",
        "Makefile", "rules.mk", "Dockerfile", ".github/workflows/ci.yml", "deploy/web.yaml", "deploy/rights.yaml",
    ),
    "typescript": (
        "src/cart.ts", "src/base.ts", "src/index.ts", "src/util.ts", "src/util/index.ts", "src/view.tsx", "lib/cart.ts",
        "src/view.vue", "src/cart.vue", "src/list.svelte", "src/page.astro",
        "src/cart.test.ts", "src/old.js", "src/base.d.ts", "packages/core/src/index.ts", "packages/core/src/cart.ts",
        "README.md", "tsconfig.json", "package.json", "packages/core/package.json", "src/data.json", "base.json",
        ".gitignore", "node_modules/cart/index.ts", ".github/workflows/ci.yml", "Makefile",
    ),
    "mixed": (
        "cart.py", "shop/base.py", "shop/__init__.py", "src/cart.ts", "src/base.ts", "go.mod", "shop/shop.go",
        "shop/cart.go", "cart/cart.go", "cart/cart_test.go", "docs/guide.md", "tsconfig.json", "notes.txt", "cart.js",
        "view.vue", "deploy.yml", "docs/use.rst",
        "cart.vue", "Makefile", "shop/rules.mk", "pyproject.toml", "package.json", ".github/workflows/ci.yml",
        "deploy/web.yaml", "deploy/rights.yaml", "Dockerfile",
    ),
    "jvm": (
        "src/Cart.scala", "src/Base.scala", "src/Order.scala", "src/shop/Cart.scala", "src/shop/package.scala",
        "src/shop/Base.scala", "src/shop/Base.java", "src/Cart.java", "src/test/Cart.scala", "README.md",
    ),
    "all tiers": (
        "cart.rb", "app/models/cart.rb", "app/models/base.rb", "app/models/order.rb", "lib/base.rb", "config/routes.rb",
        "app/controllers/cart_controller.rb", "app/views/cart/total.html.erb", "app/views/cart/_cart.html.erb",
        "app/Cart.php", "app/helpers.php", "resources/views/cart.blade.php", "resources/views/base.blade.php",
        "main.tf", "cart.tf", "shop/variables.tf", "src/Cart.java", "src/shop/Base.java",
        "src/Cart.scala", "src/shop/package.scala",
        "src/Cart.cs", "src/Base.cs", "src/shop/Cart.cs", "src/main.rs", "src/base.rs",
        "run.sh", "rules.sh", "site/cart.html", "site/base.html", "site/cart.css", "site/base.css", "schema.sql",
        "shop/cart.py", "use.ipynb", "site/cart.js", "site/view.vue", "docs/use.rst", "docs/guide.adoc", "README.md",
        "notes.txt", "deploy.yml", "compose.conf", "deploy/web.yaml", "Makefile", ".github/workflows/ci.yml",
    ),
}  # fmt: skip

KINDS = ("edit", "edit", "edit", "add", "add", "delete", "rename", "move", "revert", "switch", "words", "lines")


GIT_KINDS = (
    "edit", "edit", "add", "delete", "rename", "words", "commit", "commit", "stash", "pop", "checkout", "checkout",
    "back", "merge", "rebase",
)  # fmt: skip


class Step(NamedTuple):
    kind: str
    which: int
    """Of the files that are there, counted around."""
    where: int
    """Of the paths that there may be, likewise."""
    blocks: tuple[int, ...]
    """What is written."""


class History(NamedTuple):
    paths: tuple[str, ...]
    """That files of this repository may have."""
    files: tuple[tuple[int, tuple[int, ...]], ...]
    """Those that it starts with: path and blocks."""
    steps: tuple[Step, ...]
    is_served: bool
    """One server asks throughout; else each step is encoded and asked by another."""
    is_aged: bool
    """Files have times of long ago, each its own; else of this very moment, some the same."""
    keeps_folders: bool
    """Folders stay where their last file went."""
    options: int
    """Of the encode: which of those that a test has."""


WORD = re.compile(r"\b[A-Za-z_]\w+")
BLOCK = st.integers(0, 2**24 - 1)


def histories(
    paths: tuple[str, ...], most: int = 6, kinds: tuple[str, ...] = KINDS, files: int = 6
) -> st.SearchStrategy[History]:
    """Of folders that hold some of these paths. The first is always there to begin with, and is no configuration."""
    started = st.tuples(st.integers(1, len(paths) - 1), st.lists(BLOCK, max_size=5).map(tuple))
    first = st.tuples(st.just(0), st.lists(BLOCK, max_size=5).map(tuple))
    return st.builds(
        History,
        st.just(paths),
        st.tuples(first, st.lists(started, min_size=min(files, 1), max_size=files).map(tuple)).map(
            lambda drawn: (drawn[0], *drawn[1])
        ),
        steps(most, kinds),
        st.booleans(),
        st.booleans(),
        st.booleans(),
        st.integers(0, 3),
    )


def steps(most: int, kinds: tuple[str, ...] = KINDS) -> st.SearchStrategy[tuple[Step, ...]]:
    number = st.integers(0, 63)
    return st.lists(
        st.builds(Step, st.sampled_from(kinds), number, number, st.lists(BLOCK, max_size=4).map(tuple)),
        min_size=1,
        max_size=most,
    ).map(tuple)


def content(path: str, blocks: tuple[int, ...]) -> str:
    """What these blocks are in a file of that path."""
    name = path.rpartition("/")[2]
    whole = FIXED.get(path) or FIXED.get(name)
    if whole:
        return whole[sum(blocks) % len(whole)]
    suffix = "blade" if name.endswith(".blade.php") else name.rpartition(".")[2]
    language = LANGUAGE_OF.get(suffix, suffix if suffix in BLOCKS else "md")
    return "\n".join(block(language, number) for number in blocks)


def block(language: str, number: int) -> str:
    number, template = divmod(number, len(BLOCKS[language]))
    chosen = {}
    for letter, names in (NAMES | MODULES).items():
        if f"{{{letter}}}" in BLOCKS[language][template]:
            number, at = divmod(number, len(names))
            chosen[letter] = names[at]
    return BLOCKS[language][template].format(**chosen)


class Folder:
    """A folder that goes through a history. `files` is what it holds: text by path."""

    def __init__(self, root: Path, history: History, files: dict[str, str] | None = None) -> None:
        self.root = root
        self.files: dict[str, str] = {}
        self._history = history
        self._branches: dict[str, dict[str, str]] = {}
        self._branch = "main"
        self._past: list[dict[str, str]] = []
        self._written = time.time_ns() - 10_000_000_000_000
        first = {history.paths[at]: content(history.paths[at], blocks) for at, blocks in history.files}
        self.become(files if files is not None else first)
        self._past.append(dict(self.files))

    def do(self, step: Step) -> None:
        getattr(self, "_" + step.kind)(step)
        self._past.append(dict(self.files))

    def become(self, files: dict[str, str]) -> None:
        """Write what differs, remove what is not in it."""
        for path in sorted(self.files.keys() - files.keys()):
            self._remove(path)
        for path in sorted(files):
            if self.files.get(path) != files[path]:
                self.write(path, files[path])

    def write(self, path: str, text: str) -> None:
        if self.files.get(path) == text:
            return
        for taken in [other for other in self.files if other.startswith(path + "/") or path.startswith(other + "/")]:
            self._remove(taken)  # a file where a folder was, or the other way round
        file = self.root / path
        if file.is_dir():
            shutil.rmtree(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        self.files[path] = text
        self._age(path)

    def _remove(self, path: str) -> None:
        (self.root / path).unlink()
        del self.files[path]
        if not self._history.keeps_folders:
            self._tidy(path)

    def _tidy(self, path: str) -> None:
        for folder in self._above(path):
            if any(folder.iterdir()):
                return
            folder.rmdir()

    def _age(self, path: str) -> None:
        if self._history.is_aged:
            self._written += 3_000_000_019
            os.utime(self.root / path, ns=(self._written, self._written))
            for folder in (*self._above(path), self.root):
                os.utime(folder, ns=(self._written, self._written))

    def _above(self, path: str) -> Iterator[Path]:
        for folder in (self.root / path).parents:
            if folder == self.root:
                return
            yield folder

    def _some(self, number: int) -> str:
        """A path that is there."""
        return sorted(self.files)[number % len(self.files)]

    def _possible(self, number: int) -> str:
        return self._history.paths[number % len(self._history.paths)]

    # The steps. Each leaves at least one file.

    def _edit(self, step: Step) -> None:
        path = self._some(step.which)
        self.write(path, content(path, step.blocks))

    def _lines(self, step: Step) -> None:
        """One line goes, or comes twice, or one is put before all others."""
        path = self._some(step.which)
        lines = self.files[path].splitlines(keepends=True)
        at = step.where % (len(lines) + 1)
        if at == len(lines):
            lines.insert(0, "\n")
        elif sum(step.blocks) % 2:
            del lines[at]
        else:
            lines.insert(at, lines[at])
        self.write(path, "".join(lines))

    def _words(self, step: Step) -> None:
        """One name becomes another that is there, in one file or in all of them."""
        path = self._some(step.which)
        names = sorted(set(WORD.findall(self.files[path])))
        if not names:
            return
        old, new = names[step.where % len(names)], names[sum(step.blocks) % len(names)]
        for each in sorted(self.files) if step.which % 2 else [path]:
            self.write(each, re.sub(rf"\b{old}\b", new, self.files[each]))

    def _add(self, step: Step) -> None:
        path = self._possible(step.where)
        self.write(path, content(path, step.blocks))

    def _delete(self, step: Step) -> None:
        """A file, or a folder with all that is in it."""
        path = self._some(step.which)
        folder = path.partition("/")[0] + "/" if step.where % 4 == 0 and "/" in path else path
        gone = [each for each in sorted(self.files) if each.startswith(folder)]
        for each in gone if len(gone) < len(self.files) else gone[:0]:
            self._remove(each)

    def _rename(self, step: Step) -> None:
        """To another name in the same folder, which may be of another language, or another file's."""
        path = self._some(step.which)
        folder = path[: path.rfind("/") + 1]
        self._to(path, folder + self._possible(step.where).rpartition("/")[2])

    def _move(self, step: Step) -> None:
        """To another folder; with its time."""
        path = self._some(step.which)
        other = self._possible(step.where)
        self._to(path, other[: other.rfind("/") + 1] + path.rpartition("/")[2])

    def _to(self, path: str, new: str) -> None:
        if new == path or any(new.startswith(each + "/") or each.startswith(new + "/") for each in self.files):
            return
        if (self.root / new).is_dir():
            shutil.rmtree(self.root / new)
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).replace(self.root / new)
        self.files[new] = self.files.pop(path)
        if not self._history.keeps_folders:
            self._tidy(path)

    def _revert(self, step: Step) -> None:
        """One file, or all of them, as they were some steps ago."""
        then = self._past[-1 - step.where % len(self._past)]
        path = sorted(then)[step.which % len(then)]
        self.become(dict(then) if step.which % 2 else self.files | {path: then[path]})

    def _switch(self, step: Step) -> None:
        """To another branch, which at first is as the folder was some steps ago."""
        self._branches[self._branch] = dict(self.files)
        self._branch = ("main", "topic", "release")[step.which % 3]
        self.become(dict(self._branches.get(self._branch, self._past[step.where % len(self._past)])))


class GitFolder(Folder):
    """The same as a repository of git, where git does what it does. What it refuses is no step."""

    def __init__(self, root: Path, history: History, files: dict[str, str] | None = None) -> None:
        git(root, "init", "-q", "-b", "main")
        super().__init__(root, history, files)
        commit(root)

    def do(self, step: Step) -> None:
        super().do(step)
        self.files = read(self.root)

    def _commit(self, step: Step) -> None:
        commit(self.root)

    def _stash(self, step: Step) -> None:
        git(self.root, "stash", "-u", "-q", fails=True)

    def _pop(self, step: Step) -> None:
        git(self.root, "stash", "pop", "-q", fails=True)

    def _checkout(self, step: Step) -> None:
        """Forwards or backwards, with what is not committed, if git lets it."""
        branch = ("main", "topic")[step.which % 2]
        there = git(self.root, "branch", "--list", branch)
        git(self.root, "checkout", "-q", *([branch] if there else ["-b", branch, f"HEAD~{step.where % 2}"]), fails=True)

    def _back(self, step: Step) -> None:
        git(self.root, "reset", "-q", "--hard" if step.where % 2 else "--soft", "HEAD~1", fails=True)

    def _merge(self, step: Step) -> None:
        """Conflicts stay in the files."""
        git(self.root, "merge", "-q", "-m", "merge", ("main", "topic")[step.which % 2], fails=True)

    def _rebase(self, step: Step) -> None:
        git(self.root, "rebase", "-q", ("main", "topic")[step.which % 2], fails=True)
        if step.where % 2:
            git(self.root, "rebase", "--abort", fails=True)
