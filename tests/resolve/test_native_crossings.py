"""Functions that C and C++ offer to other languages, from the place that calls them: no compiler is asked."""

from __future__ import annotations

from pathlib import Path

from rpg.encoder.encode import encode
from rpg.encoder.options import Options

JNI = """#include <jni.h>
JNIEXPORT void JNICALL Java_shop_Prices_load_1all(JNIEnv *env, jclass of) {}
"""
JAVA = """package shop;
public class Prices {
    static { System.loadLibrary("prices"); }
    public static native void load_all();
    public static native void missing();
}
"""
ADDON = """#include <napi.h>
Napi::Value Hash(const Napi::CallbackInfo& info) { return info.Env().Null(); }
Napi::Object Init(Napi::Env env, Napi::Object exports) {
    exports.Set("hash", Napi::Function::New(env, Hash));
    return exports;
}
NODE_API_MODULE(addon, Init)
"""
SCRIPT = """const addon = require('./build/Release/addon.node');
exports.go = function () { return addon.hash('x') + addon.missing(); };
"""
MODULE = """#include <pybind11/pybind11.h>
int scale(int a) { return a; }
struct Pet { };
PYBIND11_MODULE(_prices, m) {
    m.def("scale_it", &scale);
    pybind11::class_<Pet>(m, "Animal");
}
"""
PYTHON = """import _prices

def price():
    return _prices.scale_it(1), _prices.Animal(), _prices.missing()
"""


def _crossings(root: Path, files: dict[str, str]) -> set[tuple[str, str]]:
    for path, text in files.items():
        (root / path).write_text(text)
    return {(each.source, each.target) for each in encode(root, Options()).graph.edges if each.via == "crossing"}


def test_a_native_method_of_java_calls_the_function_of_c_that_is_named_after_it(tmp_path: Path) -> None:
    found = _crossings(tmp_path, {"jni.c": JNI, "Prices.java": JAVA})

    assert found == {("Prices.java::Prices.load_all", "jni.c::Java_shop_Prices_load_1all")}


def test_a_member_of_an_addon_is_the_function_that_is_exported_so(tmp_path: Path) -> None:
    found = _crossings(tmp_path, {"addon.cc": ADDON, "index.js": SCRIPT})

    assert found == {("index.js::go", "addon.cc::Hash")}


def test_a_name_of_an_extension_module_is_what_pybind_binds_so(tmp_path: Path) -> None:
    found = _crossings(tmp_path, {"module.cpp": MODULE, "use.py": PYTHON})

    assert found == {("use.py::price", "module.cpp::scale"), ("use.py::price", "module.cpp::Pet")}
