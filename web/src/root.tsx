import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { signOut as endSession } from "./api/actions";
import { problemOf } from "./api/client";
import type { Session } from "./api/nouns";
import { sessionQuery } from "./api/queries";
import { KeysHelp } from "./frame/keysHelp";
import { Palette } from "./frame/palette";
import { Rail } from "./frame/rail";
import { SignIn } from "./pages/signin";
import { useWorkspace } from "./pages/workspace";
import { Announcements } from "./ui/Announce";
import { useKeys } from "./ui/keys";
import { Problem } from "./ui/Problem";
import { TipLayer } from "./ui/Tip";
import { isDark, setTheme, useTheme } from "./ui/theme";
import { useCrumbs } from "./ui/title";
import "./frame/frame.css";

/** What stands around every page: only people who are signed in get further. */
export function Root() {
  const session = useQuery(sessionQuery);
  return (
    <>
      {session.data && !session.error && <Outlet />}
      {session.error && <NoSession error={session.error} onRetry={() => void session.refetch()} />}
      <Announcements />
      <TipLayer />
    </>
  );
}

function NoSession({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const problem = problemOf(error);
  if (problem.status === 401) return <SignIn />;
  return (
    <main className="alone">
      <Problem problem={problem} onRetry={onRetry} />
    </main>
  );
}

/** The frame: rail, search, keys, and the page. */
export function Frame() {
  const ws = useWorkspace();
  const { data: session } = useQuery(sessionQuery);
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const queries = useQueryClient();
  const signOut = async () => {
    await endSession();
    queries.clear();
    window.location.assign("/");
  };
  useFrameKeys(
    ws,
    () => setPalette(true),
    () => setHelp(true),
  );
  const main = useFocusOnArrival();
  if (!session) return null;
  return (
    <div className="frame">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <Rail ws={ws} version={session.product.version} />
      <main className="page" id="main" ref={main} tabIndex={-1}>
        <Top session={session} ws={ws} onSearch={() => setPalette(true)} onSignOut={signOut} />
        <Outlet />
      </main>
      {palette && (
        <Palette
          ws={ws}
          onClose={() => setPalette(false)}
          onHelp={() => setHelp(true)}
          onSignOut={() => void signOut()}
        />
      )}
      <KeysHelp open={help} onClose={() => setHelp(false)} />
    </div>
  );
}

function Top({
  session,
  ws,
  onSearch,
  onSignOut,
}: {
  session: Session;
  ws: string;
  onSearch: () => void;
  onSignOut: () => void;
}) {
  const crumbs = useCrumbs();
  useTheme();
  const name = session.workspaces.find((one) => one.id === ws || one.name === ws)?.name ?? ws;
  return (
    <header className="top">
      <nav className="crumbs" aria-label="You are here">
        <span>{name}</span>
        {crumbs.map((crumb) => (
          <span key={crumb}>/ {crumb}</span>
        ))}
      </nav>
      <button type="button" className="search" onClick={onSearch}>
        <span>Search runs, digests</span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      <button
        type="button"
        className="btn quiet"
        onClick={() => setTheme(isDark() ? "light" : "dark")}
        aria-label={isDark() ? "Switch to light" : "Switch to dark"}
      >
        {isDark() ? "☀" : "☾"}
      </button>
      <button type="button" className="btn quiet" onClick={onSignOut} data-tip={`Signed in as ${session.member.name}`}>
        Sign out
      </button>
    </header>
  );
}

function useFrameKeys(ws: string, openPalette: () => void, openHelp: () => void) {
  const navigate = useNavigate();
  const actions = useRef({ openPalette, openHelp });
  actions.current = { openPalette, openHelp };
  const bindings = useMemo(() => {
    const params = { ws };
    return {
      "/": () => actions.current.openPalette(),
      "?": () => actions.current.openHelp(),
      "g s": () => void navigate({ to: "/w/$ws", params }),
      "g r": () => void navigate({ to: "/w/$ws/runs", params }),
      "g w": () => void navigate({ to: "/w/$ws/workloads", params }),
      "g c": () => void navigate({ to: "/w/$ws/captures", params }),
      "g e": () => void navigate({ to: "/w/$ws/setups", params }),
      "g d": () => void navigate({ to: "/w/$ws/compare", params }),
      "g o": () => void navigate({ to: "/w/$ws/comparisons", params }),
      i: () => void navigate({ to: "/w/$ws/import", params }),
    };
  }, [ws, navigate]);
  useKeys(bindings);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        actions.current.openPalette();
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

// A new page takes the focus, so that the keyboard and a screen reader start
// at its beginning and not where the last link was.
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path]);
  return main;
}
