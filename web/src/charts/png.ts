import { fileName, saveBlob } from "../ui/download";
import { token } from "./picture";

/** Downloads what a canvas or an SVG picture shows, on the panel's colour. */
export async function savePNG(picture: HTMLCanvasElement | SVGSVGElement, name: string) {
  const canvas = picture instanceof SVGSVGElement ? drawSVG(picture) : onPanel(picture);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) saveBlob(blob, `${fileName(name)}.png`);
}

function onPanel(source: HTMLCanvasElement): HTMLCanvasElement {
  const out = document.createElement("canvas");
  out.width = source.width;
  out.height = source.height;
  const context = out.getContext("2d")!;
  context.fillStyle = token("panel");
  context.fillRect(0, 0, out.width, out.height);
  context.drawImage(source, 0, 0);
  return out;
}

// An SVG is drawn element by element, with the styles the page computed: that
// needs no request and no inline style, which the page's policy forbids.
function drawSVG(svg: SVGSVGElement): HTMLCanvasElement {
  const box = svg.viewBox.baseVal;
  const out = document.createElement("canvas");
  out.width = box.width * 2;
  out.height = box.height * 2;
  const context = out.getContext("2d")!;
  context.scale(2, 2);
  context.fillStyle = token("panel");
  context.fillRect(0, 0, box.width, box.height);
  for (const element of svg.querySelectorAll<SVGGraphicsElement>("rect, line, path, circle, polygon, text")) {
    if (element.closest("defs, clipPath")) continue;
    drawElement(context, element);
  }
  return out;
}

function drawElement(context: CanvasRenderingContext2D, element: SVGGraphicsElement) {
  const style = getComputedStyle(element);
  const number = (name: string) => Number(element.getAttribute(name) ?? 0);
  context.globalAlpha = Number(style.opacity) || 1;
  if (element instanceof SVGTextElement) {
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    context.fillStyle = style.fill;
    context.textAlign = style.textAnchor === "middle" ? "center" : style.textAnchor === "end" ? "right" : "left";
    context.fillText(element.textContent ?? "", number("x"), number("y"));
    return;
  }
  context.setLineDash(
    style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[ ,]+/).map(Number.parseFloat),
  );
  context.lineCap = style.strokeLinecap as CanvasLineCap;
  context.lineWidth = Number.parseFloat(style.strokeWidth);
  const path = outline(element, number);
  if (!path) return;
  if (style.fill !== "none") {
    context.fillStyle = style.fill;
    context.fill(path);
  }
  if (style.stroke !== "none") {
    context.strokeStyle = style.stroke;
    context.stroke(path);
  }
}

function outline(element: SVGElement, number: (name: string) => number): Path2D | undefined {
  const path = new Path2D();
  switch (element.tagName) {
    case "rect":
      path.rect(number("x"), number("y"), number("width"), number("height"));
      return path;
    case "line":
      path.moveTo(number("x1"), number("y1"));
      path.lineTo(number("x2"), number("y2"));
      return path;
    case "circle":
      path.arc(number("cx"), number("cy"), number("r"), 0, 2 * Math.PI);
      return path;
    case "polygon":
      return new Path2D(`M${element.getAttribute("points")}Z`);
    case "path":
      return new Path2D(element.getAttribute("d") ?? "");
  }
  return undefined;
}
