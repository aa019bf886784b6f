/** Removes the prerendered sign-in form (drawSignIn.tsx) and shows the app. */
export function removeDrawing(): void {
  document.getElementById('drawn')?.remove();
  for (const name of ['data-drawn', 'data-drawn-slow']) document.documentElement.removeAttribute(name);
}
