import type { Token, Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";

/**
 * Markdown as elements, from the tokens of a parser. HTML in it stays text, pictures are named and not loaded, and links
 * lead only to the web.
 */
export function Markdown({ tokens }: { readonly tokens: readonly Token[] }): JSX.Element {
  return <div class="markdown">{tokens.map(renderToken)}</div>;
}

type Renderer = (token: never) => ComponentChildren;

const renderers: Readonly<Record<string, Renderer>> = {
  space: () => null,
  hr: () => <hr />,
  br: () => <br />,
  heading: ({ tokens }: Tokens.Heading) => <p class="heading">{renderAll(tokens)}</p>,
  paragraph: ({ tokens }: Tokens.Paragraph) => <p>{renderAll(tokens)}</p>,
  blockquote: ({ tokens }: Tokens.Blockquote) => <blockquote>{renderAll(tokens)}</blockquote>,
  code: ({ text }: Tokens.Code) => <pre class="text">{text}</pre>,
  codespan: ({ text }: Tokens.Codespan) => <code>{text}</code>,
  strong: ({ tokens }: Tokens.Strong) => <strong>{renderAll(tokens)}</strong>,
  em: ({ tokens }: Tokens.Em) => <em>{renderAll(tokens)}</em>,
  del: ({ tokens }: Tokens.Del) => <del>{renderAll(tokens)}</del>,
  list: ({ ordered, start, items }: Tokens.List) =>
    ordered ? (
      <ol start={start === "" ? 1 : start}>{items.map(renderItem)}</ol>
    ) : (
      <ul>{items.map(renderItem)}</ul>
    ),
  table: ({ header, rows }: Tokens.Table) => (
    <table>
      <thead>
        <tr>
          {header.map(({ tokens }) => (
            <th key={tokens}>{renderAll(tokens)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr key={cells}>
            {cells.map(({ tokens }) => (
              <td key={tokens}>{renderAll(tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  ),
  link: ({ href, tokens }: Tokens.Link) =>
    /^https?:\/\//i.test(href) ? (
      <a href={href} rel="noreferrer noopener" target="_blank">
        {renderAll(tokens)}
      </a>
    ) : (
      <>
        {renderAll(tokens)} ({href})
      </>
    ),
  image: ({ text, href }: Tokens.Image) => `[picture: ${text || href}]`,
  text: ({ text, tokens }: Tokens.Text) => (tokens ? renderAll(tokens) : text),
  escape: ({ text }: Tokens.Escape) => text,
};

function renderItem({ tokens, task, checked }: Tokens.ListItem): JSX.Element {
  return (
    <li key={tokens}>
      {task && (checked ? "[x] " : "[ ] ")}
      {renderAll(tokens)}
    </li>
  );
}

function renderAll(tokens: readonly Token[]): ComponentChildren {
  return tokens.map(renderToken);
}

/** What has no renderer, such as HTML, stays as it was written. */
function renderToken(token: Token): ComponentChildren {
  const render = Object.hasOwn(renderers, token.type) ? renderers[token.type] : undefined;
  return render === undefined ? token.raw : render(token as never);
}
