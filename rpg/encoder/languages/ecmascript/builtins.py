"""Names that every program has without an import, and the members of builtin types.

Out: sets of names, frozen, never taken from a runtime: the language (ECMA-262), its types in TypeScript's library,
Node.js and browsers, and the globals of test runners.
"""

_LANGUAGE = """
AggregateError Array ArrayBuffer AsyncDisposableStack AsyncFunction AsyncGenerator AsyncIterator Atomics BigInt
BigInt64Array BigUint64Array Boolean DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array
Float32Array Float64Array Function Generator Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN
Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError
Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
arguments decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat
parseInt undefined unescape
"""
_TYPES = """
ArrayLike Awaited Capitalize ConstructorParameters Exclude Extract InstanceType IterableIterator Iterable Lowercase
NoInfer NonNullable Omit OmitThisParameter Parameters Partial Pick PromiseLike PropertyDescriptor PropertyKey Readonly
ReadonlyArray ReadonlyMap ReadonlySet Record Required ReturnType TemplateStringsArray ThisParameterType ThisType
Thenable Uncapitalize Uppercase AsyncIterable AsyncIterableIterator IteratorResult ArrayIterator MapIterator
SetIterator ClassDecorator MethodDecorator ParameterDecorator PropertyDecorator TypedPropertyDescriptor
CallableFunction NewableFunction ErrorConstructor ObjectConstructor ArrayConstructor SymbolConstructor
PromiseConstructor ClassMethodDecoratorContext ClassFieldDecoratorContext ClassDecoratorContext DecoratorContext
ImportMeta JSX NodeJS React
"""
_RUNTIMES = """
AbortController AbortSignal Blob BroadcastChannel Buffer Bun ByteLengthQueuingStrategy CSS CSSStyleSheet Cache
CacheStorage CloseEvent CompressionStream CountQueuingStrategy Crypto CryptoKey CustomEvent DOMException DOMParser
DOMRect DecompressionStream Deno Document DocumentFragment DragEvent Element ErrorEvent Event EventSource EventTarget
File FileList FileReader FocusEvent FormData HTMLAnchorElement HTMLButtonElement HTMLCanvasElement HTMLCollection
HTMLDivElement HTMLElement HTMLFormElement HTMLIFrameElement HTMLImageElement HTMLInputElement HTMLSelectElement
HTMLTextAreaElement HTMLVideoElement Headers History IDBDatabase Image ImageData InputEvent IntersectionObserver
KeyboardEvent Location MediaQueryList MessageChannel MessageEvent MessagePort MouseEvent MutationObserver Navigator
Node NodeList Notification Performance PerformanceObserver PointerEvent ProgressEvent ReadableStream
ReadableStreamDefaultReader Request RequestInit RequestInfo ResizeObserver Response ResponseInit SVGElement ShadowRoot
SharedWorker Storage SubtleCrypto Text TextDecoder TextDecoderStream TextEncoder TextEncoderStream TouchEvent
TransformStream UIEvent URL URLPattern URLSearchParams WebAssembly WebSocket WheelEvent Window Worker WritableStream
XMLHttpRequest XMLSerializer __dirname __filename addEventListener alert atob btoa cancelAnimationFrame caches
clearImmediate clearInterval clearTimeout confirm console crypto customElements dispatchEvent document exports fetch
frames getComputedStyle global history importScripts indexedDB innerHeight innerWidth localStorage location matchMedia
module name navigator open parent performance postMessage process prompt queueMicrotask removeEventListener
reportError requestAnimationFrame requestIdleCallback require screen scrollTo self sessionStorage setImmediate
setInterval setTimeout structuredClone top window BodyInit HeadersInit BufferSource EventListener Timer NodeRequire
NodeModule
"""
_TESTS = """
after afterAll afterEach assert before beforeAll beforeEach context cy describe expect fail fdescribe fit it jasmine
jest mocha pending specify spyOn suite test xdescribe xit vi vitest
"""

MAKE_THEIR_OWN = frozenset(
    """
    Atomics BigInt Buffer Date Intl Math Number String Symbol URL WebAssembly alert atob btoa console crypto
    document fetch history localStorage location matchMedia navigator performance process screen sessionStorage
    window assert child_process cluster dgram dns fs http http2 https net os path querystring readline stream
    string_decoder tls tty url v8 vm zlib expect vitest @jest/globals chai
    """.split()
)
"""Globals, modules of Node.js and of test runners whose functions never return what they were passed."""

NAMES = frozenset(f"{_LANGUAGE} {_TYPES} {_RUNTIMES} {_TESTS}".split())

GLOBAL_TYPES = {
    "window": "Window", "self": "Window", "globalThis": "Window", "document": "Document", "navigator": "Navigator",
    "location": "Location", "history": "History", "screen": "Screen", "performance": "Performance",
    "console": "Console", "localStorage": "Storage", "sessionStorage": "Storage", "crypto": "Crypto", "Math": "Math",
    "JSON": "JSON", "Reflect": "Reflect", "Intl": "Intl", "Object": "ObjectConstructor", "Array": "ArrayConstructor",
    "String": "StringConstructor", "Number": "NumberConstructor", "Boolean": "BooleanConstructor",
    "Date": "DateConstructor", "Error": "ErrorConstructor", "Promise": "PromiseConstructor",
    "Symbol": "SymbolConstructor", "RegExp": "RegExpConstructor", "Map": "MapConstructor", "Set": "SetConstructor",
}  # fmt: skip
"""Objects of the language and its runtimes -> their interface, which a program may add members to."""

_OBJECT = """
__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ constructor hasOwnProperty isPrototypeOf
propertyIsEnumerable toLocaleString toString valueOf assign create defineProperties defineProperty entries freeze
fromEntries getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols
getPrototypeOf groupBy hasOwn is isExtensible isFrozen isSealed keys preventExtensions seal setPrototypeOf values
"""
_FUNCTION = "apply arguments bind call caller length name prototype"
_ARRAY = """
at concat copyWithin every fill filter find findIndex findLast findLastIndex flat flatMap forEach from fromAsync
includes indexOf isArray join lastIndexOf map of pop push reduce reduceRight reverse shift slice some sort splice
subarray toReversed toSorted toSpliced unshift with buffer byteLength byteOffset
"""
_STRING = """
anchor big charAt charCodeAt codePointAt concat endsWith fromCharCode fromCodePoint includes indexOf isWellFormed
lastIndexOf localeCompare match matchAll normalize padEnd padStart raw repeat replace replaceAll search slice split
startsWith substr substring toLocaleLowerCase toLocaleUpperCase toLowerCase toUpperCase toWellFormed trim trimEnd
trimLeft trimRight trimStart
"""
_COLLECTIONS = """
add clear delete difference forEach get has intersection isDisjointFrom isSubsetOf isSupersetOf set size
symmetricDifference union deref register unregister next return throw drop take toArray
"""
_PROMISE = "all allSettled any catch finally race reject resolve then try withResolvers"
_NUMBERS = """
toExponential toFixed toPrecision isInteger isSafeInteger parseFloat parseInt abs acos acosh asin asinh atan atan2
atanh cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul log log10 log1p log2 max min pow random round sign
sin sinh sqrt tan tanh trunc asIntN asUintN
"""
_DATE = """
getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset
getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds now setDate
setFullYear setHours setMilliseconds setMinutes setMonth setSeconds setTime setUTCDate setUTCFullYear setUTCHours
setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds toDateString toISOString toJSON toLocaleDateString
toLocaleTimeString toTimeString toUTCString UTC
"""
_OTHERS = """
exec test compile lastIndex flags source global ignoreCase multiline sticky unicode dotAll groups index input
description for keyFor asyncIterator hasInstance isConcatSpreadable iterator species toPrimitive toStringTag
unscopables dispose asyncDispose parse stringify construct deleteProperty ownKeys message stack cause
captureStackTrace revocable getInt8 getInt16 getInt32 getUint8 getUint16 getUint32 getFloat32 getFloat64 getBigInt64
getBigUint64 setInt8 setInt16 setInt32 setUint8 setUint16 setUint32 setFloat32 setFloat64 setBigInt64 setBigUint64
resize transfer
"""

MEMBERS = frozenset(
    f"{_OBJECT} {_FUNCTION} {_ARRAY} {_STRING} {_COLLECTIONS} {_PROMISE} {_NUMBERS} {_DATE} {_OTHERS}".split()
)
