// A scene brought from one page to the board room, where its set-up is changed.

const KEPT = "set-up"; // the scene that another page of ours wants to have set up

// Go to the board room with a scene whose set-up is to be changed.
export function editSetUp(scene) {
  sessionStorage.setItem(KEPT, JSON.stringify(scene));
  location.assign("/boards#set-up");
}

// Let "Back" lead to the set-up as it is, wherever one goes from here.
export function comeBack(scene) {
  sessionStorage.setItem(KEPT, JSON.stringify(scene));
  history.replaceState(history.state, "", `#${KEPT}`);
}

// The scene that was brought here, once.
export function brought() {
  const scene = location.hash === `#${KEPT}` ? sessionStorage.getItem(KEPT) : null;
  sessionStorage.removeItem(KEPT);
  return scene && JSON.parse(scene);
}
