// Source in colour: comments, strings, numbers and keywords, by a table for each family of languages.

const WORDS = {
  python: "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield None True False self cls",
  script: "abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of package private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while with yield",
  go: "break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var",
  ruby: "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield",
  php: "abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enum extends false final finally fn for foreach function global if implements include instanceof interface isset list match namespace new null or print private protected public readonly require return static switch this throw trait true try unset use var while yield",
  other: "abstract as async await bool boolean break byte case catch char class const constexpr continue default delete do double else enum export extends extern false final finally fn for foreach func function global goto if impl implements import in include inline int interface internal is let local long loop match mod module mut namespace new nil null object override package private protected pub public ref return self short signed sizeof static string struct super switch template then this throw throws trait true try type typedef typename union unsafe unsigned use using val var virtual void where while with yield",
};
const FAMILY = { python: "python", javascript: "script", typescript: "script", tsx: "script", jsx: "script", vue: "script", svelte: "script", astro: "script", go: "go", ruby: "ruby", php: "php" };
const HASHES = new Set(["python", "ruby", "bash", "yaml", "toml", "make", "makefile", "dockerfile", "elixir", "ini", "php", "terraform"]);
const PROSE = new Set(["", "markdown", "restructuredtext", "asciidoc", "plaintext", "unparsed"]);

function patternOf(language) {
  const parts = [];
  if (language === "python") parts.push('(?<text>(?:\\b[rbfuRBFU]{1,2})?(?:"""[^]*?(?:"""|$)|\'\'\'[^]*?(?:\'\'\'|$)))');
  else parts.push("(?<text>`(?:\\\\[^]|[^`\\\\])*(?:`|$))");
  const comments = [];
  if (HASHES.has(language)) comments.push("#[^\\n]*");
  if (!HASHES.has(language) || language === "php") comments.push("//[^\\n]*", "/\\*[^]*?(?:\\*/|$)");
  if (language === "sql" || language === "lua" || language === "haskell") comments.push("--[^\\n]*");
  if (["html", "xml", "vue", "svelte", "blade"].includes(language)) comments.push("<!--[^]*?(?:-->|$)");
  parts.push(`(?<comment>${comments.join("|")})`);
  parts.push("(?<quote>\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?)");
  parts.push("(?<number>\\b(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)\\b)");
  parts.push("(?<mark>@[\\w.]+)");
  parts.push("(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)");
  return new RegExp(parts.join("|"), "gu");
}

/** For each line its pieces, [class, text]; class is empty for what has no colour. */
function colored(text, language) {
  const lines = [[]];
  const put = (style, piece) => {
    piece.split("\n").forEach((part, at) => {
      if (at) lines.push([]);
      if (part) lines[lines.length - 1].push([style, part]);
    });
  };
  if (PROSE.has(language) || text.length > 400000) {
    put("", text);
    return lines;
  }
  const keywords = new Set((WORDS[FAMILY[language] || "other"]).split(" "));
  let from = 0;
  for (const found of text.matchAll(patternOf(language))) {
    const { comment, number: figure, mark, word } = found.groups;
    let style = "s";
    if (comment !== undefined) style = "c";
    else if (figure !== undefined) style = "n";
    else if (mark !== undefined) style = "m";
    else if (word !== undefined) style = keywords.has(word) ? "k" : "w";
    if (found.index > from) put("", text.slice(from, found.index));
    put(style, found[0]);
    from = found.index + found[0].length;
  }
  put("", text.slice(from));
  return lines;
}
