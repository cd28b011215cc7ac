// Renders the formulas of the documentation: every .tex file here becomes a .html file of MathML, which browsers show without
// any script. Needs the npm package katex:
//
//     folder=$(mktemp -d) && npm install --prefix "$folder" katex@0.19.1
//     NODE_PATH="$folder/node_modules" node docs/formulas/generate.cjs

const { readFileSync, readdirSync, writeFileSync } = require("node:fs");
const { basename, join } = require("node:path");
const katex = require("katex");

// The pages scroll what is too wide, and would scroll what reaches a little above its line as well.
const BLOCK = "padding: 0.5em 0; overflow-y: hidden";

for (const file of readdirSync(__dirname).filter((file) => file.endsWith(".tex"))) {
  const tex = readFileSync(join(__dirname, file), "utf8").trim();
  const rendered = katex.renderToString(tex, { output: "mathml", displayMode: true, strict: "error", throwOnError: true });
  const math = rendered
    .replace(/^<span class="katex"><math xmlns="[^"]*"/, "<math")
    .replace(/<\/span>$/, "")
    .replace(/<mtable[^>]*columnalign="right left.*?<\/mtable>/gs, aligned);
  writeFileSync(join(__dirname, `${basename(file, ".tex")}.html`), `<div style="${BLOCK}">${math}</div>\n`);
}

// Browsers know no `columnalign`: the sides that meet at a relation are said cell by cell.
function aligned(table) {
  return table.replace(/<mtr>.*?<\/mtr>/gs, (row) => {
    let column = 0;
    return row.replace(/<mtd>/g, () => {
      const side = column++ % 2 === 0 ? "text-align: right; padding-right: 0" : "text-align: left; padding-left: 0";
      return `<mtd style="${side}">`;
    });
  });
}
