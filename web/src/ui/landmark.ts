/**
 * Return where menus, lists and tooltips are put: into the dialog in front, else into the page's main part. There,
 * assistive technology finds them, and a dialog does not hide its own lists.
 */
export function landmark(): HTMLElement {
  const dialogs = document.querySelectorAll<HTMLElement>("[data-scrim] [role=dialog]");
  return [...dialogs].at(-1) ?? document.querySelector("main") ?? document.body;
}
