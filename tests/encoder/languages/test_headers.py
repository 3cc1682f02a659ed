"""Whether a header is C or C++ follows from what is in it."""

from __future__ import annotations

import pytest

from rpg.encoder.languages.declarative.c import choose_language


@pytest.mark.parametrize(
    "text",
    [
        "struct Vec { float x; float len() const { return x; } };",
        "struct Vec { void add(struct Vec o); };",
        "struct Vec { Vec(int x); int x; };",
        "struct Vec {\n  ~Vec();\n};",
        "struct Vec { int x = 0; };",
        "struct Derived : Base { int y; };",
        "struct Derived final : public Base { int y; };",
        "enum class Color { Red, Blue };",
        "enum Color : unsigned char { Red };",
        "Vec operator+(Vec a, Vec b);",
        "void add(const Vec &a);",
        "void add(Vec &a, int b);",
        "void stop() noexcept;",
        "std::string name(int at);",
        "#include <string>\nint size(int at);",
        "namespace shop { int size(int at); }",
        "#if __cplusplus > 201703L\nnamespace shop { int size(int at); }\n#endif",
        "void write(int from);\ninline void write(double from) {}",
        "void write(int from);\nvoid write(int from, int size);",
        "#define PLAIN 1\nstruct Vec { DECLARE(3); int x; int size(); };",
    ],
)
def test_a_header_with_something_that_c_lacks_is_cpp(text: str) -> None:
    assert choose_language("shop.h", text.encode()) == "cpp"


@pytest.mark.parametrize(
    "text",
    [
        "struct hook { int (*run)(int); unsigned flag : 1; const char *name; };",
        "struct map { DECLARE_BITMAP(bits, 64); TAILQ_ENTRY(map) link; int x __attribute__((packed)); };",
        "struct map { char data[SIZE(3)]; int count ALIGNED(8); struct { int at; } inner; };",
        "enum color { RED = 1, BLUE };",
        "static inline int both(int a, int b) { return a & b; }",
        "/* class Foo; std::string */ int size(int at);",
        "// struct Derived : Base\nint size(int at);",
        '#define NAME "std::string"\nint size(int at);',
        '#ifdef __cplusplus\nextern "C" {\n#endif\nint size(int at);\n#ifdef __cplusplus\n}\n#endif',
        "int size(int at);\n#ifdef __cplusplus\nclass Vec { };\n#endif",
        "#ifndef __cplusplus\ntypedef int bool;\n#else\nnamespace shop {}\n#endif\nint size(int at);",
        "int size(int at);\nint size(int);",
        "int size(unsigned int at, struct a *b);\nint size(unsigned int, struct a *);\nvoid each(void);",
        "#ifdef WIN\nint size(HANDLE at);\n#else\nint size(int at);\n#endif",
        "@interface Cart\n- (void)add:(const Item &)item;\n@end",
        "int pick(int (*f)(void), int a) ;\nint flag = (1 ? sizeof(struct hook) : 2);",
        "#define EACH(x) for (int i = 0; i < x; i++)\nstruct s { int at; };",
        "",
    ],
)
def test_a_header_that_c_can_read_is_c(text: str) -> None:
    assert choose_language("shop.h", text.encode()) == "c"
