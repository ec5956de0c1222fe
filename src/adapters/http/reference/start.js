/** Starts Swagger UI on the OpenAPI document. */

/**
 * A JSON text, indented, with the digits of its numbers as they were sent. Returns the text as it is if it is not JSON, or if the
 * browser lacks `JSON.rawJSON`.
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

/** Shows integers of answers digit for digit: Swagger UI itself parses them into doubles. */
function exactIntegers() {
  const responseBody = (Original, { React }) =>
    function ExactResponseBody(props) {
      const { content } = props;
      const exact = typeof content === 'string' ? { content: indented(content), contentType: 'text/plain' } : {};
      return React.createElement(Original, { ...props, ...exact });
    };
  return { wrapComponents: { responseBody } };
}

/** Dark if the system is, by a class that Swagger UI has styles for. */
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const followSystem = () => document.documentElement.classList.toggle('dark-mode', systemIsDark.matches);
systemIsDark.addEventListener('change', followSystem);
followSystem();

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  // Otherwise Swagger UI would send the address of the document to a service that validates it.
  validatorUrl: null,
  syntaxHighlight: { theme: 'monokai' },
  plugins: [exactIntegers],
});
