// Comes after the outline of a page (docs/product.md#11.66), and writes into it the words that the page will show
// whatever its data is. The build has written the words beside this script's address
// (web/build/documents/outlineWords.ts). In its own file, because the content security policy allows no inline script.
(function () {
  var root = document.documentElement;
  // Without a sign-in the person is led to the sign-in page.
  if (root.getAttribute('data-outline') !== 'frame') return;
  var script = document.currentScript;
  var languages = JSON.parse(script.getAttribute('data-words') || '{}');
  var words = (languages[root.lang] || {})[location.pathname.replace(/\/$/, '')];
  if (!words) return;
  var outline = document.getElementById('outline');
  var place = document.createElement('div');
  place.className = 'words';
  // Class names of ui/theme/outline.css: a page's name, its purpose, and the beginning of the help.
  ['name', 'lead', 'group', 'question', 'answer'].slice(0, words.length).forEach(function (kind, at) {
    var part = document.createElement('p');
    part.className = kind;
    part.textContent = words[at];
    place.appendChild(part);
  });
  outline.querySelector('.heading').remove();
  var card = outline.querySelector('.card');
  if (words.length === 2) place.appendChild(card);
  if (words.length > 2) card.remove();
  outline.appendChild(place);
})();
