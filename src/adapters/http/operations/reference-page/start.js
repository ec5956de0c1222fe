/** Starts Swagger UI on the OpenAPI document of the page, with what this interface needs beyond it. */

const ID = 'reference';

/** Follows the colour scheme of the system: Swagger UI is dark under this class. */
function followColourScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}

/**
 * A JSON text, indented. Swagger UI would round its integers to doubles; this keeps the digits of numbers as they were sent.
 * Returns a text that is no JSON as it is, and also if the browser cannot keep digits.
 */
function indented(text) {
  if (JSON.rawJSON === undefined) return text;
  const exact = (_name, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value);
  try {
    return JSON.stringify(JSON.parse(text, exact), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** The `Error` body in an answer's text: its code, and what its message says of each member. */
function errorIn(text) {
  try {
    const { code, message } = JSON.parse(text) ?? {};
    if (typeof code !== 'string' || typeof message !== 'string') return undefined;
    return { code, faults: message.split('; ') };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Shows answers indented and digit for digit, errors as a list of what is wrong, and whether a creation was a repeat. */
function Answers() {
  const responseBody =
    (Original, { React: { createElement } }) =>
    (props) => {
      const { content, headers = {} } = props;
      const isText = typeof content === 'string';
      const error = isText ? errorIn(content) : undefined;
      return createElement(
        'div',
        null,
        error && answerError(createElement, error),
        headers['idempotency-replayed'] === 'true' &&
          note(createElement, 'Idempotency-Replayed: true. An earlier request with this key added the animal.'),
        createElement(Original, isText ? { ...props, content: indented(content), contentType: '' } : props),
      );
    };
  return { wrapComponents: { responseBody } };
}

function answerError(createElement, { code, faults }) {
  const hint =
    code === 'unauthorized' ? [createElement('li', { key: 'hint' }, 'Press Authorize, and enter an API key.')] : [];
  const items = faults.map((fault, i) => createElement('li', { key: i }, fault));
  return createElement(
    'div',
    { className: 'answer-error' },
    createElement('strong', null, code),
    createElement('ul', null, ...items, ...hint),
  );
}

function note(createElement, text) {
  return createElement('p', { className: 'page-note' }, text);
}

/** Tells beside the path of a deprecated operation that it is, and when it is removed. */
function Deprecations() {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const OperationSummaryPath =
    (Original, { React: { createElement, Fragment }, specSelectors }) =>
    (props) => {
      const deprecated = props.operationProps.get('deprecated');
      const sunset = specSelectors.specJson().getIn(props.specPath.push('x-sunset'));
      const text = sunset ? `Deprecated: removed on ${date.format(new Date(sunset))}` : 'Deprecated';
      return createElement(
        Fragment,
        null,
        createElement(Original, props),
        deprecated && createElement('span', { className: 'deprecation' }, text),
      );
    };
  return { wrapComponents: { OperationSummaryPath } };
}

/** Shows of each error what it means, and its example and header fields only at a press of a button. */
function Errors() {
  const response =
    (Original, { React: { createElement, Fragment, useState } }) =>
    (props) => {
      const [isOpen, setOpen] = useState(false);
      const { code, response: described } = props;
      if (!/^[45]/.test(code)) return createElement(Original, props);
      const button = {
        type: 'button',
        className: 'details-toggle',
        'aria-expanded': isOpen,
        onClick: () => setOpen(!isOpen),
      };
      const shown = isOpen ? described : described.delete('content').delete('headers');
      return createElement(
        Fragment,
        null,
        createElement(Original, { ...props, response: shown }),
        createElement(
          'tr',
          { className: 'details-row' },
          createElement('td', null),
          createElement(
            'td',
            null,
            createElement('button', button, `${isOpen ? 'Hide' : 'Show'} the body of a ${code}`),
          ),
        ),
      );
    };
  return { wrapComponents: { response } };
}

/** Operations without links in them: Swagger UI puts a link into a button, where no keyboard or screen reader finds it. */
function Summaries() {
  const DeepLink =
    (_Original, { React: { createElement } }) =>
    ({ text }) =>
      createElement('span', null, text);
  return { wrapComponents: { DeepLink } };
}

/** 128 random bits. `crypto.randomUUID` is not there on a page that was loaded without TLS. */
function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Suggests a key for `Idempotency-Key`, another one at each press of a button, and says what it does. */
function IdempotencyKeys() {
  const parameterRow =
    (Original, { React: { createElement, Fragment, useEffect } }) =>
    (props) => {
      const { rawParam, isExecute, onChange } = props;
      const row = createElement(Original, props);
      const isTried = isExecute && rawParam.get('name') === 'Idempotency-Key';
      const renew = () => onChange(rawParam, freshKey(), false);
      // Otherwise Swagger UI would fill in the example of the document, which is the same for everybody.
      useEffect(() => (isTried ? renew() : undefined), [isTried]);
      if (!isTried) return row;
      const button = { type: 'button', className: 'btn new-key', onClick: renew };
      const text =
        'Execute the request again with the same key: nothing is added, and the answer has Idempotency-Replayed. Another animal needs a new key.';
      return createElement(
        Fragment,
        null,
        row,
        createElement(
          'tr',
          { className: 'new-key-row' },
          createElement('td', null),
          createElement('td', null, createElement('button', button, 'New key'), note(createElement, text)),
        ),
      );
    };
  return { wrapComponents: { parameterRow } };
}

/** Tells at the button that requests need a key, and whether they carry one. */
function Authorization() {
  const authorizeBtn =
    (Original, { React: { createElement, Fragment } }) =>
    (props) => {
      const text = props.isAuthorized
        ? 'Requests carry your API key.'
        : 'Each request needs an API key. Press Authorize, and enter yours.';
      return createElement(Fragment, null, note(createElement, text), createElement(Original, props));
    };
  return { wrapComponents: { authorizeBtn } };
}

/** The controls to which Swagger UI gives no name, or none that a person understands, and the name of each. */
const NAMES = [
  ['tr[data-param-name] :is(input, select, textarea)', (control) => control.closest('tr').dataset.paramName],
  ['textarea.body-param__text', () => 'Request body'],
  ['.servers select', () => 'Server'],
  ['.examples-select-element', () => 'Example'],
  ['#auth-bearer-value', () => 'API key'],
  ['.close-modal', () => 'Close'],
  ['.auth-btn-wrapper button', (control) => control.textContent],
];

/** Names the controls that Swagger UI adds to the page, now and later, for screen readers. */
function nameControls() {
  const root = document.getElementById(ID);
  const name = () => {
    for (const [selector, nameOf] of NAMES) {
      for (const control of root.querySelectorAll(selector)) {
        const label = nameOf(control);
        if (control.getAttribute('aria-label') !== label) control.setAttribute('aria-label', label);
      }
    }
  };
  new MutationObserver(name).observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['aria-label'],
  });
}

followColourScheme();
nameControls();

const ui = SwaggerUIBundle({
  spec: {},
  dom_id: `#${ID}`,
  deepLinking: true,
  validatorUrl: null,
  plugins: [Answers, Authorization, Deprecations, Errors, IdempotencyKeys, Summaries],
});
// The page has the document, so that it need not be loaded; its address is shown, and servers are relative to it.
ui.specActions.updateUrl('openapi.json');
ui.specActions.updateSpec(document.getElementById('document').textContent);
