/** Takes away the sign-in form that the build has drawn (drawSignIn.tsx). The app shows from then on. */
export function removeDrawing(): void {
  document.getElementById('drawn')?.remove();
  for (const name of ['data-drawn', 'data-drawn-slow']) document.documentElement.removeAttribute(name);
}
