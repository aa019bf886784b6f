// Comes after the sign-in form that the build has drawn (docs/product.md#11.69), and makes it usable before the app's
// scripts have run. In its own file, because the content security policy allows no inline script.
// features/accounts/signIn/takeOverDrawing.ts reads what it records on the form.
(function () {
  var root = document.documentElement;
  var drawing = document.getElementById('drawn');
  function read(key) {
    try {
      return localStorage.getItem(key);
    } catch (blocked) {
      return null;
    }
  }
  // Somebody may have chosen another language in this browser than the browser prefers (theme.js).
  var chosen = null;
  document.querySelectorAll('body > template').forEach(function (other) {
    if (other.lang === root.lang) chosen = other;
    other.parentNode.removeChild(other);
  });
  // The app shows something else: the pages of somebody who is signed in, or another sentence above the form.
  if (read('token') !== null || read('registeredEmail') !== null || /[?&]ended=/.test(location.search)) {
    drawing.parentNode.removeChild(drawing);
    return;
  }
  if (chosen !== null) {
    drawing.textContent = '';
    drawing.appendChild(chosen.content);
    drawing.lang = root.lang;
    document.title = chosen.title;
  }
  drawing.pressed = [];
  // An act in progress would break off if the app took over now: a press of a finger or a key, or a letter that is
  // still being composed. A menu or another window may swallow the end of a press.
  var MAX_PRESS_MS = 2000;
  var composing = false;
  var pressing = false;
  var ends = 0;
  function note() {
    drawing.isHeld = composing || pressing;
    if (!drawing.isHeld) drawing.dispatchEvent(new Event('released'));
  }
  function endPress() {
    pressing = false;
    note();
  }
  function press() {
    pressing = true;
    note();
    clearTimeout(ends);
    ends = setTimeout(endPress, MAX_PRESS_MS);
  }
  function release() {
    clearTimeout(ends);
    // The click follows the end of the press.
    ends = setTimeout(endPress, 0);
  }
  function compose(event) {
    composing = event.type === 'compositionstart';
    note();
  }
  drawing.addEventListener('pointerdown', press);
  drawing.addEventListener('keydown', press);
  window.addEventListener('pointerup', release);
  window.addEventListener('pointercancel', release);
  window.addEventListener('keyup', release);
  drawing.addEventListener('compositionstart', compose);
  drawing.addEventListener('compositionend', compose);
  var submit = drawing.querySelector('[type=submit]');
  function show(busy) {
    submit.setAttribute('aria-busy', String(busy));
    // Screen readers announce it.
    drawing.querySelector('[data-busy]').hidden = !busy;
  }
  drawing.addEventListener('click', function (event) {
    var button = event.target.closest('button');
    if (button === null) return;
    drawing.pressed.push(button);
    if (button === submit) show(true);
  });
  // The person is still typing, so do not submit an incomplete password.
  drawing.addEventListener('input', function () {
    drawing.pressed = drawing.pressed.filter(function (button) {
      return button !== submit;
    });
    show(false);
  });
  // The browser itself must not submit: the app does it.
  drawing.addEventListener('submit', function (event) {
    event.preventDefault();
  });
  drawing
    .querySelector('header [aria-pressed]')
    .setAttribute('aria-pressed', String(root.getAttribute('data-mantine-color-scheme') === 'dark'));
  // Over a weak connection the heading's font, 21 kB, would delay the app by a second: the app loads it later.
  if (performance.now() > 1000) root.setAttribute('data-drawn-slow', '');
  // Shows the form instead of the outline and of what the app prepares (ui/theme/outline.css).
  drawing.hidden = false;
  root.setAttribute('data-drawn', read('device') === null ? 'stranger' : 'known');
})();
