import { svg, type TemplateResult } from "lit";

/** The quiet margin around a code, in modules, as its standard asks. */
const MARGIN = 4;

/** Draws a text as a code to scan. What draws it is loaded when it is needed. */
export async function drawCode(text: string, title: string): Promise<TemplateResult> {
  const { correction, generate } = await import("lean-qr/nano");
  const code = generate(text, { minCorrectionLevel: correction.L });
  let path = "";
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) {
      if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
    }
  }
  const size = code.size + 2 * MARGIN;
  return svg`<svg viewBox="${-MARGIN} ${-MARGIN} ${size} ${size}" role="img" aria-label=${title} shape-rendering="crispEdges">
    <rect x=${-MARGIN} y=${-MARGIN} width=${size} height=${size} fill="#fff"></rect>
    <path d=${path} fill="#000"></path>
  </svg>`;
}
