import { type RefObject, useEffect, useRef } from "react";

/** What a drawing function gets: a context in CSS pixels, the size, and the colours of the theme. */
export interface Surface {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  colour: (token: string) => string;
  /** The CSS font of a size in pixels. */
  font: (size: number, weight?: number) => string;
}

/** Reads a design token as it stands in the present theme. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/**
 * Keeps a canvas sharp and current: draws at the screen's resolution, again on
 * a change of size or theme, and whenever `draw` is another function.
 */
export function usePicture(draw: (surface: Surface) => void): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let frame = 0;
    const paint = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => paintNow(element, draw));
    };
    paintNow(element, draw);
    const resized = new ResizeObserver(paint);
    resized.observe(element);
    const themed = new MutationObserver(paint);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", paint);
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      themed.disconnect();
      scheme.removeEventListener("change", paint);
    };
  }, [draw]);
  return canvas;
}

function paintNow(element: HTMLCanvasElement, draw: (surface: Surface) => void) {
  const width = element.clientWidth;
  const height = element.clientHeight;
  const context = element.getContext("2d");
  if (!context || width === 0 || height === 0) return;
  const scale = window.devicePixelRatio || 1;
  const pixels = { width: Math.round(width * scale), height: Math.round(height * scale) };
  if (element.width !== pixels.width) element.width = pixels.width;
  if (element.height !== pixels.height) element.height = pixels.height;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(document.documentElement);
  const family = getComputedStyle(element).fontFamily;
  draw({
    context,
    width,
    height,
    colour: (name) => style.getPropertyValue(`--${name}`).trim(),
    font: (size, weight = 400) => `${weight} ${size}px ${family}`,
  });
}
