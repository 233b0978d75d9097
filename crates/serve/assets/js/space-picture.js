// Bodies in space, drawn by three.js: shapes, and the impulses of contacts as arrows. The view is turned by dragging.

import {
  AmbientLight, BoxGeometry, BufferGeometry, CapsuleGeometry, Color, ConeGeometry, ConvexGeometry, CylinderGeometry, DirectionalLight, DoubleSide, EdgesGeometry,
  GridHelper, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshLambertMaterial, OrbitControls, PerspectiveCamera, PlaneGeometry, Quaternion,
  Scene, SphereGeometry, Spherical, Vector3, WebGLRenderer,
} from "./three.js";
import { bodyColor, colors } from "./theme.js";

/** A usual force, and the longest one, are drawn so long: parts of the radius of what is seen. */
const [USUAL, LONGEST] = [0.35, 1.1];
/** The eye at the start, from the middle of what is seen. */
const EYE = new Vector3(1.1, -1.6, 0.9).normalize();
/** A key turns the view by so much, rad. */
const TURN = Math.PI / 24;
const UP = new Vector3(0, 1, 0);

/** A picture on a canvas; none where the browser has no WebGL. */
export function makeSpace(canvas) {
  // Asked on another canvas: three.js would write an error into the console.
  if (!document.createElement("canvas").getContext("webgl2")) return false;
  return new Space(canvas);
}

/** Of a radius about the middle: grows with every body that is seen. */
class Reach {
  constructor() {
    this.low = new Vector3(Infinity, Infinity, Infinity);
    this.high = new Vector3(-Infinity, -Infinity, -Infinity);
  }

  add([x, y, z], radius) {
    this.low.min(new Vector3(x - radius, y - radius, z - radius));
    this.high.max(new Vector3(x + radius, y + radius, z + radius));
  }

  middle() {
    return this.low.x > this.high.x ? new Vector3() : this.low.clone().add(this.high).multiplyScalar(0.5);
  }

  radius() {
    return this.low.x > this.high.x ? 1 : Math.max(1e-6, this.low.distanceTo(this.high) / 2);
  }
}

class Space {
  constructor(canvas) {
    this.canvas = canvas;
    // What is drawn stays there, so that it can be saved as a picture.
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(38, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.light = new DirectionalLight(0xffffff, 1.6);
    this.scene.add(new AmbientLight(0xffffff, 1.5), this.light);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.render());
    this.controls.addEventListener("start", () => {
      this.held = true;
    });
    this.cast = new Group();
    this.arrows = new Group();
    this.scene.add(this.cast, this.arrows);
    this.shaft = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    this.head = new ConeGeometry(1, 1, 16).translate(0, 0.5, 0);
    this.motion = null;
    this.frame = null;
    this.held = false;
    new ResizeObserver(() => this.render()).observe(canvas);
  }

  /** Takes the bodies of a motion in place of those before. */
  stage(motion) {
    this.motion = motion;
    this.frame = motion.start;
    this.held = false;
    this.forces = [];
    this.reached = new Reach();
    motion.bodies.forEach((body) => {
      if (!body.moves && body.shape.kind !== "half_space") this.reached.add(body.pose, extent(body.shape));
    });
    this.reach(motion.start);
    this.build();
  }

  /** Colours anew. */
  paint() {
    if (this.motion) this.build();
  }

  build() {
    this.clear(this.cast);
    const size = this.reached.radius();
    this.movers = [];
    let order = 0;
    for (const body of this.motion.bodies) {
      const color = body.moves ? bodyColor(order++) : colors.soft;
      const shown = solid(body, color, size);
      place(shown, body.pose);
      this.cast.add(shown);
      if (body.moves) this.movers.push(shown);
    }
    this.whole();
    this.show(this.frame);
  }

  clear(group) {
    group.traverse((one) => {
      if (one.geometry && one.geometry !== this.shaft && one.geometry !== this.head) one.geometry.dispose();
      if (one.material) one.material.dispose();
    });
    group.clear();
  }

  /** Counts a frame into what is to be seen. */
  reach(frame) {
    const moving = this.motion.bodies.filter((body) => body.moves);
    const before = this.reached.radius();
    frame.poses.forEach((pose, b) => this.reached.add(pose, extent(moving[b].shape)));
    for (const { normal } of frame.contacts) this.forces.push(Math.hypot(...normal));
    // Until somebody turns the view it shows all that there is.
    if (!this.held && this.cast.children.length > 0 && this.reached.radius() > before) this.whole();
  }

  /** Looks at the whole motion. */
  whole() {
    const [middle, radius] = [this.reached.middle(), this.reached.radius()];
    const away = this.held ? this.camera.position.clone().sub(this.controls.target).normalize() : EYE;
    const angle = ((this.camera.fov * Math.PI) / 360) * Math.min(1, this.camera.aspect);
    const distance = (1.05 * radius) / Math.sin(angle);
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(away, distance);
    [this.camera.near, this.camera.far] = [distance / 200, 60 * distance];
    this.light.position.copy(EYE).applyAxisAngle(new Vector3(0, 0, 1), 0.7).add(new Vector3(0, 0, 0.8));
    this.controls.update();
    this.held = false;
    this.render();
  }

  /** Turns the view by keys. */
  turn(across, up) {
    this.held = true;
    const away = this.camera.position.clone().sub(this.controls.target);
    // Spherical has y upwards.
    const own = new Spherical().setFromCartesianCoords(away.x, away.z, -away.y);
    own.theta += across * TURN;
    own.phi = Math.min(Math.PI - 0.05, Math.max(0.05, own.phi + up * TURN));
    const turned = new Vector3().setFromSpherical(own);
    this.camera.position.copy(this.controls.target).add(new Vector3(turned.x, -turned.z, turned.y));
    this.controls.update();
    this.render();
  }

  zoom(factor) {
    this.held = true;
    const away = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(away);
    this.controls.update();
    this.render();
  }

  /** Shows a frame. */
  show(frame) {
    this.frame = frame;
    this.movers.forEach((mover, b) => place(mover, frame.poses[b]));
    this.clear(this.arrows);
    const size = this.reached.radius();
    const sorted = this.forces.filter((force) => force > 0).sort((a, b) => a - b);
    const usual = sorted[Math.floor(sorted.length / 2)] || 1;
    for (const contact of frame.contacts) {
      const of = (vector, color) => vector && this.arrow(contact.at, vector, (USUAL * size) / usual, LONGEST * size, color);
      of(contact.normal, colors.force);
      of(contact.friction, colors.rub);
    }
    this.render();
  }

  /** An arrow from a point; one that would be longer than `most` is cut, and has a bar in place of its head. */
  arrow(at, vector, scale, most, color) {
    const along = new Vector3(...vector);
    const wanted = along.length() * scale;
    if (wanted < 1e-3 * most) return;
    const length = Math.min(wanted, most);
    const thick = 0.012 * this.reached.radius();
    // Arrows are seen through bodies, which they begin in.
    const paint = () => new MeshBasicMaterial({ color: new Color(color), depthTest: false, transparent: true });
    const shaft = new Mesh(this.shaft, paint());
    const head = new Mesh(this.head, paint());
    const tip = Math.min(5 * thick, 0.6 * length);
    shaft.scale.set(thick, length - tip, thick);
    head.position.y = length - tip;
    if (wanted > most) head.scale.set(4 * thick, thick, 4 * thick);
    else head.scale.set(2.6 * thick, tip, 2.6 * thick);
    const whole = new Group();
    whole.add(shaft, head);
    whole.position.set(...at);
    whole.quaternion.copy(new Quaternion().setFromUnitVectors(UP, along.normalize()));
    for (const part of whole.children) part.renderOrder = 2;
    this.arrows.add(whole);
  }

  render() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this.renderer.setPixelRatio(ratio);
    if (this.canvas.width !== Math.floor(width * ratio) || this.canvas.height !== Math.floor(height * ratio)) {
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / height;
    }
    this.camera.updateProjectionMatrix();
    this.renderer.setClearColor(new Color(colors.card), 1);
    this.renderer.render(this.scene, this.camera);
  }
}

function place(object, [x, y, z, w, a, b, c]) {
  object.position.set(x, y, z);
  object.quaternion.set(a, b, c, w);
}

/** No point of a shape is further from its centre. */
function extent(shape) {
  switch (shape.kind) {
    case "sphere": return shape.radius;
    case "ellipsoid": return Math.max(...shape.half_axes);
    case "superquadric": return Math.hypot(...shape.half_axes);
    case "capsule": return shape.radius + shape.half_length;
    case "cylinder": return Math.hypot(shape.radius, shape.half_length);
    case "polyhedron": return Math.max(...shape.vertices.map((vertex) => Math.hypot(...vertex)));
    case "box":
    case "inertia": return Math.hypot(...shape.half_sizes);
    case "pieces": return Math.max(...shape.pieces.map((piece) => Math.hypot(...piece.pose.slice(0, 3)) + extent(piece.shape)));
    default: return 0;
  }
}

/** The surface of a shape; `size` is how far a plane reaches. Cylinders of three.js are about y. */
function geometry(shape, size) {
  const upright = (own) => own.rotateX(Math.PI / 2);
  switch (shape.kind) {
    case "sphere": return new SphereGeometry(shape.radius, 32, 20);
    case "ellipsoid":
    case "superquadric": return powers(shape);
    case "capsule": return upright(new CapsuleGeometry(shape.radius, 2 * shape.half_length, 10, 28));
    case "cylinder": return upright(new CylinderGeometry(shape.radius, shape.radius, 2 * shape.half_length, 40));
    case "polyhedron": return new ConvexGeometry(shape.vertices.map((vertex) => new Vector3(...vertex)));
    case "half_space": return new PlaneGeometry(8 * size, 8 * size);
    default: return new BoxGeometry(...shape.half_sizes.map((half) => 2 * Math.max(half, 2e-3 * size)));
  }
}

/** A body: its surface with its edges, or what stands for it. */
function solid({ shape, moves }, color, size) {
  const whole = new Group();
  if (shape.kind === "inertia" && !moves) return whole;
  if (shape.kind === "pieces") {
    for (const piece of shape.pieces) {
      const part = solid({ shape: piece.shape, moves }, color, size);
      place(part, piece.pose);
      whole.add(part);
    }
    return whole;
  }
  const surface = geometry(shape, size);
  const plane = shape.kind === "half_space";
  const ghost = shape.kind === "inertia";
  const paint = { color: new Color(plane ? colors.wall : color), transparent: true, opacity: plane ? 0.85 : ghost ? 0.25 : 0.78, side: DoubleSide, depthWrite: !plane && !ghost };
  const body = new Mesh(surface, new MeshLambertMaterial(paint));
  const inner = new Group();
  inner.add(body);
  if (plane) {
    const grid = new GridHelper(8 * size, 32, new Color(colors.line), new Color(colors.line));
    inner.add(grid.rotateX(Math.PI / 2));
    inner.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...shape.normal));
  } else {
    // A round body has no edges; the rims of a cylinder are some. Two great circles show how a ball turns.
    const round = { sphere: () => circles((way) => way.multiplyScalar(shape.radius)), ellipsoid: () => circles(onto(shape)), superquadric: () => circles(onto(shape)) };
    const edges = round[shape.kind]?.() ?? new EdgesGeometry(surface, 30);
    inner.add(new LineSegments(edges, new LineBasicMaterial({ color: new Color(colors.ink), transparent: true, opacity: 0.55 })));
  }
  if (ghost) inner.quaternion.set(shape.turn[1], shape.turn[2], shape.turn[3], shape.turn[0]);
  whole.add(inner);
  return whole;
}

/** From a direction to the point of an ellipsoid or superquadric, (|x/a|^m + |y/b|^m)^(n/m) + |z/c|^n = 1, that lies that way once the axes are 1. */
function onto({ half_axes: [a, b, c], exponents: [m, n] = [2, 2] }) {
  return (way) => {
    const sum = (Math.abs(way.x) ** m + Math.abs(way.y) ** m) ** (n / m) + Math.abs(way.z) ** n;
    return way.multiplyScalar(sum ** (-1 / n)).multiply(new Vector3(a, b, c));
  };
}

/** A sphere with its points moved onto the surface. */
function powers(shape) {
  const surface = new SphereGeometry(1, 64, 40);
  const [points, move, own] = [surface.attributes.position, onto(shape), new Vector3()];
  for (let k = 0; k < points.count; k += 1) {
    move(own.fromBufferAttribute(points, k));
    points.setXYZ(k, own.x, own.y, own.z);
  }
  surface.computeVertexNormals();
  surface.computeBoundingSphere();
  return surface;
}

/** Two great circles, of which each point is moved onto the surface. */
function circles(move) {
  const points = [];
  const turn = (k) => (2 * Math.PI * k) / 48;
  const circle = (at) => {
    for (let k = 0; k < 48; k += 1) points.push(move(at(turn(k))), move(at(turn(k + 1))));
  };
  circle((angle) => new Vector3(Math.cos(angle), 0, Math.sin(angle)));
  circle((angle) => new Vector3(0, Math.cos(angle), Math.sin(angle)));
  return new BufferGeometry().setFromPoints(points);
}
