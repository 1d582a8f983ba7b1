/** Open the API reference beside the app: it is a page of the server, not of the app. */
export function openReference(): void {
  window.open("/docs", "_blank", "noopener");
}
