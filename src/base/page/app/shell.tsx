import { type ComponentChildren, type JSX, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { toAddress } from "./route.js";
import { unpack } from "./unpack.js";

/** Unpacks what the page starts with, and shows what `create` makes of it, or why that failed. */
export function mountPage<Index>(create: (index: Index) => JSX.Element): void {
  const root = document.getElementById("app");
  if (root === null) return;
  unpack<Index>("index").then(
    (index) => render(create(index), root),
    (error: unknown) => render(<p>This page cannot be read: {String(error)}</p>, root),
  );
}

export interface Tab {
  readonly path: string;
  readonly title: string;
}

interface ShellProps {
  readonly name: string;
  readonly tabs: readonly Tab[];
  readonly path: readonly string[];
  readonly children: ComponentChildren;
}

/** The frame of every page: its name, its tabs, and what the current tab shows. */
export function Shell({ name, tabs, path, children }: ShellProps): JSX.Element {
  const [current = ""] = path;
  const main = useRef<HTMLElement>(null);
  // The address stays: it says which part is open.
  const skip = (event: Event): void => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: It is a link to a place in the page. */}
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <header>
        <p class="name">{name}</p>
        <nav aria-label="Parts of the page">
          {tabs.map((tab) => (
            <a
              key={tab.path}
              href={toAddress(tab.path === "" ? [] : [tab.path])}
              aria-current={tab.path === current ? "page" : undefined}
            >
              {tab.title}
            </a>
          ))}
        </nav>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** The heading of a part. It gets the focus when the part is opened, so that a screen reader says where it is. */
export function Title({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  useEffect(() => {
    document.title = [heading.current?.textContent, NAME].join(" · ");
  });
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

let isFirst = true;

/** What the page is called before it runs. */
const NAME = document.title;

/** What is shown for an address that leads nowhere. */
export function Missing(): JSX.Element {
  return (
    <>
      <Title>Nothing here</Title>
      <p>This page has nothing at this address: choose a part above.</p>
    </>
  );
}

interface ScrollableProps {
  readonly label: string;
  readonly kind: "wide" | "columns";
  readonly children: ComponentChildren;
}

/** A part that is wider than the page, and scrolls by itself, also by keyboard. */
export function Scrollable({ label, kind, children }: ScrollableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reached by keyboard.
    <section class={kind} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

interface TableProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** `list`: with lines between the rows. */
  readonly kind?: "list" | "plain";
  /** Its rows. */
  readonly children: ComponentChildren;
}

/** A table with a head, which scrolls by itself. */
export function Table({ label, columns, kind = "list", children }: TableProps): JSX.Element {
  return (
    <Scrollable label={label} kind="wide">
      <table class={kind}>
        <thead>
          <tr>
            {columns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scrollable>
  );
}
