import { useEffect, useState } from "react";

interface Placed {
  text: string;
  left: number;
  top: number;
}

/**
 * Shows the text of any element with a data-tip attribute on hover and on
 * keyboard focus. Escape hides it. Mounted once, in the frame.
 */
export function TipLayer() {
  const [tip, setTip] = useState<Placed>();
  useEffect(() => {
    const show = (event: Event) => {
      const target = event.target instanceof Element ? event.target.closest("[data-tip]") : null;
      const text = target?.getAttribute("data-tip");
      if (!target || !text) return setTip(undefined);
      const box = target.getBoundingClientRect();
      const below = box.bottom + 90 < window.innerHeight;
      setTip({ text, left: Math.min(box.left, window.innerWidth - 350), top: below ? box.bottom + 6 : box.top - 6 });
    };
    const hide = () => setTip(undefined);
    const key = (event: KeyboardEvent) => event.key === "Escape" && hide();
    document.addEventListener("mouseover", show);
    document.addEventListener("focusin", show);
    document.addEventListener("focusout", hide);
    document.addEventListener("scroll", hide, true);
    document.addEventListener("keydown", key);
    return () => {
      document.removeEventListener("mouseover", show);
      document.removeEventListener("focusin", show);
      document.removeEventListener("focusout", hide);
      document.removeEventListener("scroll", hide, true);
      document.removeEventListener("keydown", key);
    };
  }, []);
  if (!tip) return null;
  const above = tip.top + 90 > window.innerHeight;
  return (
    <div
      className="tip"
      role="tooltip"
      style={{ left: Math.max(8, tip.left), top: tip.top, transform: above ? "translateY(-100%)" : undefined }}
    >
      {tip.text}
    </div>
  );
}
