var Wn=(i,e)=>[i[0]+e[0],i[1]+e[1],i[2]+e[2]],Is=(i,e)=>[i[0]-e[0],i[1]-e[1],i[2]-e[2]],Zt=(i,e)=>[i[0]*e,i[1]*e,i[2]*e],Qn=(i,e)=>i[0]*e[0]+i[1]*e[1]+i[2]*e[2],Pr=(i,e)=>[i[1]*e[2]-i[2]*e[1],i[2]*e[0]-i[0]*e[2],i[0]*e[1]-i[1]*e[0]],Lh=i=>Math.hypot(i[0],i[1],i[2]),Lo=i=>Zt(i,1/(Lh(i)||1)),za=i=>{let e=Math.abs(i[0])<.9?[1,0,0]:[0,1,0];return Lo(Is(e,Zt(i,Qn(i,e))))};function pe(i,e={},...t){let n=document.createElement(i),{on:s={},aria:r={},attributes:o={},...a}=e;Object.assign(n,a);for(let[c,l]of Object.entries(r))n.setAttribute(`aria-${c}`,String(l));for(let[c,l]of Object.entries(o))n.setAttribute(c,String(l));for(let[c,l]of Object.entries(s))n.addEventListener(c,l);return n.append(...t),n}var Ze=i=>document.getElementById(i),sf=0;function pi(i,e,t){sf+=1,e.id||=`control-${sf}`;let n=pe("label",{htmlFor:e.id},i),s=pe("div",{className:"row"},n,e);if(t){let r=pe("small",{id:`${e.id}-help`,className:"help"},t);e.setAttribute("aria-describedby",r.id),s.append(r)}return s}function bi(i,e,t){return pe("button",{type:"button",on:{click:e},...t?{title:t}:{}},i)}function Rn(i){if(typeof i!="number")return i==null?"–":String(i);if(!Number.isFinite(i))return String(i);let e=Math.abs(i);return e===0?"0":e>=1e5||e<.001?i.toExponential(2).replace("e+","e"):String(Number(i.toPrecision(4)))}function Do(i,e){let t=URL.createObjectURL(i);pe("a",{href:t,download:e}).click(),setTimeout(()=>URL.revokeObjectURL(t),1e4)}var No=[.01,.05,.1,.25,.5,1,2,4,10,100,0];function rf({session:i,stage:e,loop:t}){let{orbit:n}=e,s=a=>()=>{i.body===null?i.tell("note","Select a body first: click it, or press N on the scene."):a(i.body)},r=a=>{let c=i.report?.speed??1,l=No.indexOf(c)<0?No.indexOf(1):No.indexOf(c);return i.do("speed",{factor:No[Math.max(0,Math.min(No.length-1,l+a))]})},o=a=>{let c=()=>{t.after.delete(c),a()};t.after.add(c),t.touch()};return{toggle:()=>i.do(i.report?.playing?"pause":"play"),step:()=>i.do("step"),back:()=>i.do("back"),reset:()=>i.do("reset"),faster:()=>r(1),slower:()=>r(-1),fit:()=>{n.fit(H0(e)),t.touch()},follow:()=>{t.following=!t.following,t.touch(),i.tell("following",t.following)},next:()=>{let a=i.scene?.bodies.count??0;a&&i.select((i.selected+1)%a)},deselect:()=>i.select(-1),throw:()=>{let{origin:a,direction:c}=n.ray(0,0),l=Wn(a,Zt(c,.15*n.distance));i.do("throw",{origin:l,velocity:Zt(c,1.2*Math.sqrt(9.81*n.radius)+n.distance)})},push:s(a=>{let c=i.scene?.bodies.mass[i.selected]||1,{forward:l}=n.frame();i.do("push",{body:a,impulse:Zt(l,c*.7*Math.sqrt(9.81*n.radius))})}),delete:s(a=>{i.select(-1),i.do("delete",{body:a})}),freeze:s(async a=>{let{frozen:c}=await i.transport.json(`body?id=${a}`);i.do(c?"thaw":"freeze",{body:a})}),wake:s(a=>i.do("wake",{body:a})),screenshot:()=>o(()=>{e.canvas.toBlob(a=>a&&Do(a,`${i.scene?.head.scene??"drystone"}-${i.step}.png`))})}}function H0(i){let{poses:e,soft:t}=i.drawn[0],n=[1/0,1/0,1/0],s=[-1/0,-1/0,-1/0],r=(o,a,c)=>{for(let l=0;l<3*a;l++)n[l%3]=Math.min(n[l%3],o[l]-c),s[l%3]=Math.max(s[l%3],o[l]+c)};return e.filled&&r(e.positions[e.newest].image.data,i.scene.bodies.count,i.partSize),r(t.position.array,t.position.count,0),n.every(Number.isFinite)&&s.every(Number.isFinite)?[n,s]:i.head.bounds}var Ff=0,hu=1,Of=2;var or=1,Bf=2,io=3,Ws=0,Kn=1,In=2,xs=0,so=1,uu=2,du=3,fu=4,kf=5;var ar=100,zf=101,Hf=102,Gf=103,Vf=104,Wf=200,Xf=201,qf=202,Yf=203,pu=204,mu=205,$f=206,Zf=207,Jf=208,Kf=209,jf=210,Qf=211,ep=212,tp=213,np=214,_l=0,xl=1,vl=2,Xr=3,yl=4,Sl=5,Ml=6,bl=7,Kl=0,ip=1,sp=2,Ji=0,gu=1,_u=2,xu=3,vu=4,yu=5,Su=6,Mu=7;var bu=300,lr=301,ro=302,jl=303,Ql=304,wl=1e3,Xi=1001,El=1002,fn=1003,rp=1004;var ha=1005;var $n=1006,ec=1007;var vs=1008;var On=1009,wu=1010,ua=1011,Xs=1012,tc=1013,Pi=1014,li=1015,Ii=1016,nc=1017,ic=1018,cr=1020,Eu=35902,Tu=35899,Au=1021,Ru=1022,Li=1023,ps=1026,ys=1027,da=1028,oo=1029,qs=1030,ao=1031;var lo=1033,fa=33776,pa=33777,ma=33778,ga=33779,sc=35840,rc=35841,oc=35842,ac=35843,lc=36196,cc=37492,hc=37496,uc=37488,dc=37489,_a=37490,fc=37491,pc=37808,mc=37809,gc=37810,_c=37811,xc=37812,vc=37813,yc=37814,Sc=37815,Mc=37816,bc=37817,wc=37818,Ec=37819,Tc=37820,Ac=37821,Rc=36492,Cc=36494,Pc=36495,Ic=36283,Lc=36284,xa=36285,Dc=36286;var Ho=2300,Tl=2301,pl=2302,nu=2303,iu=2400,su=2401,ru=2402;var op=3200,Cu=3201;var va=0,ap=1,Ss="",qn="srgb",Go="srgb-linear",Vo="linear",wt="srgb";var ml=7680;var lp=519,cp=512,hp=513,up=514,Pu=515,dp=516,fp=517,Iu=518,Lu=519,Du=35044,hr=35048;var Nu="300 es",gi=2e3,qr=2001;function G0(i){for(let e=i.length-1;e>=0;--e)if(i[e]>=65535)return!0;return!1}function V0(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function Wo(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function pp(){let i=Wo("canvas");return i.style.display="block",i}var of={},Yr=null;function Xo(...i){let e="THREE."+i.shift();Yr?Yr("log",e,...i):console.log(e,...i)}function mp(i){let e=i[0];if(typeof e=="string"&&e.startsWith("TSL:")){let t=i[1];t&&t.isStackTrace?i[0]+=" "+t.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function $e(...i){i=mp(i);let e="THREE."+i.shift();if(Yr)Yr("warn",e,...i);else{let t=i[0];t&&t.isStackTrace?console.warn(t.getError(e)):console.warn(e,...i)}}function et(...i){i=mp(i);let e="THREE."+i.shift();if(Yr)Yr("error",e,...i);else{let t=i[0];t&&t.isStackTrace?console.error(t.getError(e)):console.error(e,...i)}}function zo(...i){let e=i.join(" ");e in of||(of[e]=!0,$e(...i))}function gp(i,e,t){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(e,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,t);break;default:n()}}setTimeout(r,t)})}var _p={[_l]:_l,[vl]:Ml,[yl]:yl,[Xr]:Sl,[xl]:xl,[Ml]:vl,[bl]:bl,[Sl]:Xr},qi=class{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){let n=this._listeners;return n===void 0?!1:n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){let n=this._listeners;if(n===void 0)return;let s=n[e];if(s!==void 0){let r=s.indexOf(t);r!==-1&&s.splice(r,1)}}dispatchEvent(e){let t=this._listeners;if(t===void 0)return;let n=t[e.type];if(n!==void 0){e.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,e);e.target=null}}},Un=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"];var gl=Math.PI/180,Al=180/Math.PI;function ur(){let i=Math.random()*4294967295|0,e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(Un[i&255]+Un[i>>8&255]+Un[i>>16&255]+Un[i>>24&255]+"-"+Un[e&255]+Un[e>>8&255]+"-"+Un[e>>16&15|64]+Un[e>>24&255]+"-"+Un[t&63|128]+Un[t>>8&255]+"-"+Un[t>>16&255]+Un[t>>24&255]+Un[n&255]+Un[n>>8&255]+Un[n>>16&255]+Un[n>>24&255]).toLowerCase()}function xt(i,e,t){return Math.max(e,Math.min(t,i))}function W0(i,e){return(i%e+e)%e}function Dh(i,e,t){return(1-t)*i+t*e}function xp(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function Nc(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function vp(i,e){if(e.constructor===Float32Array)return i;let t=Nc(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/t,-1)}function yp(i,e){if(e.constructor===Float32Array)return i;let t=Nc(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*t)}var ut=class{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw new Error("THREE.Vector2: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,n=this.y,s=e.elements;return this.x=s[0]*t+s[3]*n+s[6],this.y=s[1]*t+s[4]*n+s[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=xt(this.x,e.x,t.x),this.y=xt(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=xt(this.x,e,t),this.y=xt(this.y,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(xt(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(xt(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let n=Math.cos(t),s=Math.sin(t),r=this.x-e.x,o=this.y-e.y;return this.x=r*n-o*s+e.x,this.y=r*s+o*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},_i=class{constructor(e=0,t=0,n=0,s=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=n,this._w=s}static slerpFlat(e,t,n,s,r,o,a){let c=n[s+0],l=n[s+1],u=n[s+2],h=n[s+3],d=r[o+0],f=r[o+1],g=r[o+2],S=r[o+3];if(h!==S||c!==d||l!==f||u!==g){let m=c*d+l*f+u*g+h*S;m<0&&(d=-d,f=-f,g=-g,S=-S,m=-m);let p=1-a;if(m<.9995){let v=Math.acos(m),T=Math.sin(v);p=Math.sin(p*v)/T,a=Math.sin(a*v)/T,c=c*p+d*a,l=l*p+f*a,u=u*p+g*a,h=h*p+S*a}else{c=c*p+d*a,l=l*p+f*a,u=u*p+g*a,h=h*p+S*a;let v=1/Math.sqrt(c*c+l*l+u*u+h*h);c*=v,l*=v,u*=v,h*=v}}e[t]=c,e[t+1]=l,e[t+2]=u,e[t+3]=h}static multiplyQuaternionsFlat(e,t,n,s,r,o){let a=n[s],c=n[s+1],l=n[s+2],u=n[s+3],h=r[o],d=r[o+1],f=r[o+2],g=r[o+3];return e[t]=a*g+u*h+c*f-l*d,e[t+1]=c*g+u*d+l*h-a*f,e[t+2]=l*g+u*f+a*d-c*h,e[t+3]=u*g-a*h-c*d-l*f,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,n,s){return this._x=e,this._y=t,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){let n=e._x,s=e._y,r=e._z,o=e._order,a=Math.cos,c=Math.sin,l=a(n/2),u=a(s/2),h=a(r/2),d=c(n/2),f=c(s/2),g=c(r/2);switch(o){case"XYZ":this._x=d*u*h+l*f*g,this._y=l*f*h-d*u*g,this._z=l*u*g+d*f*h,this._w=l*u*h-d*f*g;break;case"YXZ":this._x=d*u*h+l*f*g,this._y=l*f*h-d*u*g,this._z=l*u*g-d*f*h,this._w=l*u*h+d*f*g;break;case"ZXY":this._x=d*u*h-l*f*g,this._y=l*f*h+d*u*g,this._z=l*u*g+d*f*h,this._w=l*u*h-d*f*g;break;case"ZYX":this._x=d*u*h-l*f*g,this._y=l*f*h+d*u*g,this._z=l*u*g-d*f*h,this._w=l*u*h+d*f*g;break;case"YZX":this._x=d*u*h+l*f*g,this._y=l*f*h+d*u*g,this._z=l*u*g-d*f*h,this._w=l*u*h-d*f*g;break;case"XZY":this._x=d*u*h-l*f*g,this._y=l*f*h-d*u*g,this._z=l*u*g+d*f*h,this._w=l*u*h+d*f*g;break;default:$e("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){let n=t/2,s=Math.sin(n);return this._x=e.x*s,this._y=e.y*s,this._z=e.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(e){let t=e.elements,n=t[0],s=t[4],r=t[8],o=t[1],a=t[5],c=t[9],l=t[2],u=t[6],h=t[10],d=n+a+h;if(d>0){let f=.5/Math.sqrt(d+1);this._w=.25/f,this._x=(u-c)*f,this._y=(r-l)*f,this._z=(o-s)*f}else if(n>a&&n>h){let f=2*Math.sqrt(1+n-a-h);this._w=(u-c)/f,this._x=.25*f,this._y=(s+o)/f,this._z=(r+l)/f}else if(a>h){let f=2*Math.sqrt(1+a-n-h);this._w=(r-l)/f,this._x=(s+o)/f,this._y=.25*f,this._z=(c+u)/f}else{let f=2*Math.sqrt(1+h-n-a);this._w=(o-s)/f,this._x=(r+l)/f,this._y=(c+u)/f,this._z=.25*f}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=n):(this._x=0,this._y=-e.z,this._z=e.y,this._w=n)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(xt(this.dot(e),-1,1)))}rotateTowards(e,t){let n=this.angleTo(e);if(n===0)return this;let s=Math.min(1,t/n);return this.slerp(e,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x=this._x*e,this._y=this._y*e,this._z=this._z*e,this._w=this._w*e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let n=e._x,s=e._y,r=e._z,o=e._w,a=t._x,c=t._y,l=t._z,u=t._w;return this._x=n*u+o*a+s*l-r*c,this._y=s*u+o*c+r*a-n*l,this._z=r*u+o*l+n*c-s*a,this._w=o*u-n*a-s*c-r*l,this._onChangeCallback(),this}slerp(e,t){let n=e._x,s=e._y,r=e._z,o=e._w,a=this.dot(e);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let c=1-t;if(a<.9995){let l=Math.acos(a),u=Math.sin(l);c=Math.sin(c*l)/u,t=Math.sin(t*l)/u,this._x=this._x*c+n*t,this._y=this._y*c+s*t,this._z=this._z*c+r*t,this._w=this._w*c+o*t,this._onChangeCallback()}else this._x=this._x*c+n*t,this._y=this._y*c+s*t,this._z=this._z*c+r*t,this._w=this._w*c+o*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(e),s*Math.cos(e),r*Math.sin(t),r*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},X=class{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw new Error("THREE.Vector3: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(af.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(af.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,n=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6]*s,this.y=r[1]*t+r[4]*n+r[7]*s,this.z=r[2]*t+r[5]*n+r[8]*s,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,n=this.y,s=this.z,r=e.elements,o=1/(r[3]*t+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*t+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*t+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*t+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(e){let t=this.x,n=this.y,s=this.z,r=e.x,o=e.y,a=e.z,c=e.w,l=2*(o*s-a*n),u=2*(a*t-r*s),h=2*(r*n-o*t);return this.x=t+c*l+o*h-a*u,this.y=n+c*u+a*l-r*h,this.z=s+c*h+r*u-o*l,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,n=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[4]*n+r[8]*s,this.y=r[1]*t+r[5]*n+r[9]*s,this.z=r[2]*t+r[6]*n+r[10]*s,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=xt(this.x,e.x,t.x),this.y=xt(this.y,e.y,t.y),this.z=xt(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=xt(this.x,e,t),this.y=xt(this.y,e,t),this.z=xt(this.z,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(xt(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let n=e.x,s=e.y,r=e.z,o=t.x,a=t.y,c=t.z;return this.x=s*c-r*a,this.y=r*o-n*c,this.z=n*a-s*o,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return Nh.copy(this).projectOnVector(e),this.sub(Nh)}reflect(e){return this.sub(Nh.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(xt(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y,s=this.z-e.z;return t*t+n*n+s*s}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){let s=Math.sin(t)*e;return this.x=s*Math.sin(n),this.y=Math.cos(t)*e,this.z=s*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),s=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=s,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Nh=new X,af=new _i,tt=class{static{this.prototype.isMatrix3=!0}constructor(e,t,n,s,r,o,a,c,l){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,s,r,o,a,c,l)}set(e,t,n,s,r,o,a,c,l){let u=this.elements;return u[0]=e,u[1]=s,u[2]=a,u[3]=t,u[4]=r,u[5]=c,u[6]=n,u[7]=o,u[8]=l,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,s=t.elements,r=this.elements,o=n[0],a=n[3],c=n[6],l=n[1],u=n[4],h=n[7],d=n[2],f=n[5],g=n[8],S=s[0],m=s[3],p=s[6],v=s[1],T=s[4],M=s[7],C=s[2],A=s[5],x=s[8];return r[0]=o*S+a*v+c*C,r[3]=o*m+a*T+c*A,r[6]=o*p+a*M+c*x,r[1]=l*S+u*v+h*C,r[4]=l*m+u*T+h*A,r[7]=l*p+u*M+h*x,r[2]=d*S+f*v+g*C,r[5]=d*m+f*T+g*A,r[8]=d*p+f*M+g*x,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],c=e[6],l=e[7],u=e[8];return t*o*u-t*a*l-n*r*u+n*a*c+s*r*l-s*o*c}invert(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],c=e[6],l=e[7],u=e[8],h=u*o-a*l,d=a*c-u*r,f=l*r-o*c,g=t*h+n*d+s*f;if(g===0)return this.set(0,0,0,0,0,0,0,0,0);let S=1/g;return e[0]=h*S,e[1]=(s*l-u*n)*S,e[2]=(a*n-s*o)*S,e[3]=d*S,e[4]=(u*t-s*c)*S,e[5]=(s*r-a*t)*S,e[6]=f*S,e[7]=(n*c-l*t)*S,e[8]=(o*t-n*r)*S,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,s,r,o,a){let c=Math.cos(r),l=Math.sin(r);return this.set(n*c,n*l,-n*(c*o+l*a)+o+e,-s*l,s*c,-s*(-l*o+c*a)+a+t,0,0,1),this}scale(e,t){return zo("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(Uh.makeScale(e,t)),this}rotate(e){return zo("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(Uh.makeRotation(-e)),this}translate(e,t){return zo("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(Uh.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,n=e.elements;for(let s=0;s<9;s++)if(t[s]!==n[s])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}},Uh=new tt,lf=new tt().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),cf=new tt().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function X0(){let i={enabled:!0,workingColorSpace:Go,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===wt&&(s.r=fs(s.r),s.g=fs(s.g),s.b=fs(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===wt&&(s.r=Wr(s.r),s.g=Wr(s.g),s.b=Wr(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===Ss?Vo:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},e=[.64,.33,.3,.6,.15,.06],t=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[Go]:{primaries:e,whitePoint:n,transfer:Vo,toXYZ:lf,fromXYZ:cf,luminanceCoefficients:t,workingColorSpaceConfig:{unpackColorSpace:qn},outputColorSpaceConfig:{drawingBufferColorSpace:qn}},[qn]:{primaries:e,whitePoint:n,transfer:wt,toXYZ:lf,fromXYZ:cf,luminanceCoefficients:t,outputColorSpaceConfig:{drawingBufferColorSpace:qn}}}),i}var gt=X0();function fs(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function Wr(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var Ir,Rl=class{static getDataURL(e,t="image/png"){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>"u")return e.src;let n;if(e instanceof HTMLCanvasElement)n=e;else{Ir===void 0&&(Ir=Wo("canvas")),Ir.width=e.width,Ir.height=e.height;let s=Ir.getContext("2d");e instanceof ImageData?s.putImageData(e,0,0):s.drawImage(e,0,0,e.width,e.height),n=Ir}return n.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<"u"&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&e instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&e instanceof ImageBitmap){let t=Wo("canvas");t.width=e.width,t.height=e.height;let n=t.getContext("2d");n.drawImage(e,0,0,e.width,e.height);let s=n.getImageData(0,0,e.width,e.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=fs(r[o]/255)*255;return n.putImageData(s,0,0),t}else if(e.data){let t=e.data.slice(0);for(let n=0;n<t.length;n++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[n]=Math.floor(fs(t[n]/255)*255):t[n]=fs(t[n]);return{data:t,width:e.width,height:e.height}}else return $e("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),e}},q0=0,$r=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:q0++}),this.uuid=ur(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<"u"&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<"u"&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t!==null?e.set(t.width||0,t.height||0,t.depth||0):e.set(0,0,0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){let t=e===void 0||typeof e=="string";if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(Fh(s[o].image)):r.push(Fh(s[o]))}else r=Fh(s);n.url=r}return t||(e.images[this.uuid]=n),n}};function Fh(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Rl.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:($e("Texture: Unable to serialize Texture."),{})}var Y0=0,Oh=new X,ei=class i extends qi{constructor(e=i.DEFAULT_IMAGE,t=i.DEFAULT_MAPPING,n=Xi,s=Xi,r=$n,o=vs,a=Li,c=On,l=i.DEFAULT_ANISOTROPY,u=Ss){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:Y0++}),this.uuid=ur(),this.name="",this.source=new $r(e),this.mipmaps=[],this.mapping=t,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=l,this.format=a,this.internalFormat=null,this.type=c,this.offset=new ut(0,0),this.repeat=new ut(1,1),this.center=new ut(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new tt,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=u,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(e&&e.depth&&e.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(Oh).x}get height(){return this.source.getSize(Oh).y}get depth(){return this.source.getSize(Oh).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let n=e[t];if(n===void 0){$e(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let s=this[t];if(s===void 0){$e(`Texture.setValues(): property '${t}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e=="string";if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),t||(e.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(e){if(this.mapping!==bu)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case wl:e.x=e.x-Math.floor(e.x);break;case Xi:e.x=e.x<0?0:1;break;case El:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x=e.x-Math.floor(e.x);break}if(e.y<0||e.y>1)switch(this.wrapT){case wl:e.y=e.y-Math.floor(e.y);break;case Xi:e.y=e.y<0?0:1;break;case El:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y=e.y-Math.floor(e.y);break}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};ei.DEFAULT_IMAGE=null;ei.DEFAULT_MAPPING=bu;ei.DEFAULT_ANISOTROPY=1;var qt=class{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,s=1){this.x=e,this.y=t,this.z=n,this.w=s}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,s){return this.x=e,this.y=t,this.z=n,this.w=s,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw new Error("THREE.Vector4: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w!==void 0?e.w:1,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,n=this.y,s=this.z,r=this.w,o=e.elements;return this.x=o[0]*t+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*t+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*t+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*t+o[7]*n+o[11]*s+o[15]*r,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,s,r,c=e.elements,l=c[0],u=c[4],h=c[8],d=c[1],f=c[5],g=c[9],S=c[2],m=c[6],p=c[10];if(Math.abs(u-d)<.01&&Math.abs(h-S)<.01&&Math.abs(g-m)<.01){if(Math.abs(u+d)<.1&&Math.abs(h+S)<.1&&Math.abs(g+m)<.1&&Math.abs(l+f+p-3)<.1)return this.set(1,0,0,0),this;t=Math.PI;let T=(l+1)/2,M=(f+1)/2,C=(p+1)/2,A=(u+d)/4,x=(h+S)/4,E=(g+m)/4;return T>M&&T>C?T<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(T),s=A/n,r=x/n):M>C?M<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(M),n=A/s,r=E/s):C<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(C),n=x/r,s=E/r),this.set(n,s,r,t),this}let v=Math.sqrt((m-g)*(m-g)+(h-S)*(h-S)+(d-u)*(d-u));return Math.abs(v)<.001&&(v=1),this.x=(m-g)/v,this.y=(h-S)/v,this.z=(d-u)/v,this.w=Math.acos((l+f+p-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=xt(this.x,e.x,t.x),this.y=xt(this.y,e.y,t.y),this.z=xt(this.z,e.z,t.z),this.w=xt(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=xt(this.x,e,t),this.y=xt(this.y,e,t),this.z=xt(this.z,e,t),this.w=xt(this.w,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(xt(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Cl=class extends qi{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:$n,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new qt(0,0,e,t),this.scissorTest=!1,this.viewport=new qt(0,0,e,t),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new ei({width:e,height:t,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(e={}){let t={minFilter:$n,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=e,this.textures[s].image.height=t,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let s=Object.assign({},e.textures[t].image);this.textures[t].source=new $r(s)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null)if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture;else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},Zn=class extends Cl{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}},qo=class extends ei{constructor(e=null,t=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:s},this.magFilter=fn,this.minFilter=fn,this.wrapR=Xi,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}};var Pl=class extends ei{constructor(e=null,t=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:s},this.magFilter=fn,this.minFilter=fn,this.wrapR=Xi,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}};var It=class i{static{this.prototype.isMatrix4=!0}constructor(e,t,n,s,r,o,a,c,l,u,h,d,f,g,S,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,s,r,o,a,c,l,u,h,d,f,g,S,m)}set(e,t,n,s,r,o,a,c,l,u,h,d,f,g,S,m){let p=this.elements;return p[0]=e,p[4]=t,p[8]=n,p[12]=s,p[1]=r,p[5]=o,p[9]=a,p[13]=c,p[2]=l,p[6]=u,p[10]=h,p[14]=d,p[3]=f,p[7]=g,p[11]=S,p[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){let t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,n=e.elements,s=1/Lr.setFromMatrixColumn(e,0).length(),r=1/Lr.setFromMatrixColumn(e,1).length(),o=1/Lr.setFromMatrixColumn(e,2).length();return t[0]=n[0]*s,t[1]=n[1]*s,t[2]=n[2]*s,t[3]=0,t[4]=n[4]*r,t[5]=n[5]*r,t[6]=n[6]*r,t[7]=0,t[8]=n[8]*o,t[9]=n[9]*o,t[10]=n[10]*o,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,n=e.x,s=e.y,r=e.z,o=Math.cos(n),a=Math.sin(n),c=Math.cos(s),l=Math.sin(s),u=Math.cos(r),h=Math.sin(r);if(e.order==="XYZ"){let d=o*u,f=o*h,g=a*u,S=a*h;t[0]=c*u,t[4]=-c*h,t[8]=l,t[1]=f+g*l,t[5]=d-S*l,t[9]=-a*c,t[2]=S-d*l,t[6]=g+f*l,t[10]=o*c}else if(e.order==="YXZ"){let d=c*u,f=c*h,g=l*u,S=l*h;t[0]=d+S*a,t[4]=g*a-f,t[8]=o*l,t[1]=o*h,t[5]=o*u,t[9]=-a,t[2]=f*a-g,t[6]=S+d*a,t[10]=o*c}else if(e.order==="ZXY"){let d=c*u,f=c*h,g=l*u,S=l*h;t[0]=d-S*a,t[4]=-o*h,t[8]=g+f*a,t[1]=f+g*a,t[5]=o*u,t[9]=S-d*a,t[2]=-o*l,t[6]=a,t[10]=o*c}else if(e.order==="ZYX"){let d=o*u,f=o*h,g=a*u,S=a*h;t[0]=c*u,t[4]=g*l-f,t[8]=d*l+S,t[1]=c*h,t[5]=S*l+d,t[9]=f*l-g,t[2]=-l,t[6]=a*c,t[10]=o*c}else if(e.order==="YZX"){let d=o*c,f=o*l,g=a*c,S=a*l;t[0]=c*u,t[4]=S-d*h,t[8]=g*h+f,t[1]=h,t[5]=o*u,t[9]=-a*u,t[2]=-l*u,t[6]=f*h+g,t[10]=d-S*h}else if(e.order==="XZY"){let d=o*c,f=o*l,g=a*c,S=a*l;t[0]=c*u,t[4]=-h,t[8]=l*u,t[1]=d*h+S,t[5]=o*u,t[9]=f*h-g,t[2]=g*h-f,t[6]=a*u,t[10]=S*h+d}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose($0,e,Z0)}lookAt(e,t,n){let s=this.elements;return ri.subVectors(e,t),ri.lengthSq()===0&&(ri.z=1),ri.normalize(),Ls.crossVectors(n,ri),Ls.lengthSq()===0&&(Math.abs(n.z)===1?ri.x+=1e-4:ri.z+=1e-4,ri.normalize(),Ls.crossVectors(n,ri)),Ls.normalize(),Ha.crossVectors(ri,Ls),s[0]=Ls.x,s[4]=Ha.x,s[8]=ri.x,s[1]=Ls.y,s[5]=Ha.y,s[9]=ri.y,s[2]=Ls.z,s[6]=Ha.z,s[10]=ri.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,s=t.elements,r=this.elements,o=n[0],a=n[4],c=n[8],l=n[12],u=n[1],h=n[5],d=n[9],f=n[13],g=n[2],S=n[6],m=n[10],p=n[14],v=n[3],T=n[7],M=n[11],C=n[15],A=s[0],x=s[4],E=s[8],O=s[12],D=s[1],L=s[5],H=s[9],V=s[13],N=s[2],G=s[6],Z=s[10],z=s[14],le=s[3],J=s[7],j=s[11],ie=s[15];return r[0]=o*A+a*D+c*N+l*le,r[4]=o*x+a*L+c*G+l*J,r[8]=o*E+a*H+c*Z+l*j,r[12]=o*O+a*V+c*z+l*ie,r[1]=u*A+h*D+d*N+f*le,r[5]=u*x+h*L+d*G+f*J,r[9]=u*E+h*H+d*Z+f*j,r[13]=u*O+h*V+d*z+f*ie,r[2]=g*A+S*D+m*N+p*le,r[6]=g*x+S*L+m*G+p*J,r[10]=g*E+S*H+m*Z+p*j,r[14]=g*O+S*V+m*z+p*ie,r[3]=v*A+T*D+M*N+C*le,r[7]=v*x+T*L+M*G+C*J,r[11]=v*E+T*H+M*Z+C*j,r[15]=v*O+T*V+M*z+C*ie,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[4],s=e[8],r=e[12],o=e[1],a=e[5],c=e[9],l=e[13],u=e[2],h=e[6],d=e[10],f=e[14],g=e[3],S=e[7],m=e[11],p=e[15],v=c*f-l*d,T=a*f-l*h,M=a*d-c*h,C=o*f-l*u,A=o*d-c*u,x=o*h-a*u;return t*(S*v-m*T+p*M)-n*(g*v-m*C+p*A)+s*(g*T-S*C+p*x)-r*(g*M-S*A+m*x)}determinantAffine(){let e=this.elements,t=e[0],n=e[4],s=e[8],r=e[1],o=e[5],a=e[9],c=e[2],l=e[6],u=e[10];return t*(o*u-a*l)-n*(r*u-a*c)+s*(r*l-o*c)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){let s=this.elements;return e.isVector3?(s[12]=e.x,s[13]=e.y,s[14]=e.z):(s[12]=e,s[13]=t,s[14]=n),this}invert(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],c=e[6],l=e[7],u=e[8],h=e[9],d=e[10],f=e[11],g=e[12],S=e[13],m=e[14],p=e[15],v=t*a-n*o,T=t*c-s*o,M=t*l-r*o,C=n*c-s*a,A=n*l-r*a,x=s*l-r*c,E=u*S-h*g,O=u*m-d*g,D=u*p-f*g,L=h*m-d*S,H=h*p-f*S,V=d*p-f*m,N=v*V-T*H+M*L+C*D-A*O+x*E;if(N===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let G=1/N;return e[0]=(a*V-c*H+l*L)*G,e[1]=(s*H-n*V-r*L)*G,e[2]=(S*x-m*A+p*C)*G,e[3]=(d*A-h*x-f*C)*G,e[4]=(c*D-o*V-l*O)*G,e[5]=(t*V-s*D+r*O)*G,e[6]=(m*M-g*x-p*T)*G,e[7]=(u*x-d*M+f*T)*G,e[8]=(o*H-a*D+l*E)*G,e[9]=(n*D-t*H-r*E)*G,e[10]=(g*A-S*M+p*v)*G,e[11]=(h*M-u*A-f*v)*G,e[12]=(a*O-o*L-c*E)*G,e[13]=(t*L-n*O+s*E)*G,e[14]=(S*T-g*C-m*v)*G,e[15]=(u*C-h*T+d*v)*G,this}scale(e){let t=this.elements,n=e.x,s=e.y,r=e.z;return t[0]*=n,t[4]*=s,t[8]*=r,t[1]*=n,t[5]*=s,t[9]*=r,t[2]*=n,t[6]*=s,t[10]*=r,t[3]*=n,t[7]*=s,t[11]*=r,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],s=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,s))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let n=Math.cos(t),s=Math.sin(t),r=1-n,o=e.x,a=e.y,c=e.z,l=r*o,u=r*a;return this.set(l*o+n,l*a-s*c,l*c+s*a,0,l*a+s*c,u*a+n,u*c-s*o,0,l*c-s*a,u*c+s*o,r*c*c+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,s,r,o){return this.set(1,n,r,0,e,1,o,0,t,s,1,0,0,0,0,1),this}compose(e,t,n){let s=this.elements,r=t._x,o=t._y,a=t._z,c=t._w,l=r+r,u=o+o,h=a+a,d=r*l,f=r*u,g=r*h,S=o*u,m=o*h,p=a*h,v=c*l,T=c*u,M=c*h,C=n.x,A=n.y,x=n.z;return s[0]=(1-(S+p))*C,s[1]=(f+M)*C,s[2]=(g-T)*C,s[3]=0,s[4]=(f-M)*A,s[5]=(1-(d+p))*A,s[6]=(m+v)*A,s[7]=0,s[8]=(g+T)*x,s[9]=(m-v)*x,s[10]=(1-(d+S))*x,s[11]=0,s[12]=e.x,s[13]=e.y,s[14]=e.z,s[15]=1,this}decompose(e,t,n){let s=this.elements;e.x=s[12],e.y=s[13],e.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),t.identity(),this;let o=Lr.set(s[0],s[1],s[2]).length(),a=Lr.set(s[4],s[5],s[6]).length(),c=Lr.set(s[8],s[9],s[10]).length();r<0&&(o=-o),wi.copy(this);let l=1/o,u=1/a,h=1/c;return wi.elements[0]*=l,wi.elements[1]*=l,wi.elements[2]*=l,wi.elements[4]*=u,wi.elements[5]*=u,wi.elements[6]*=u,wi.elements[8]*=h,wi.elements[9]*=h,wi.elements[10]*=h,t.setFromRotationMatrix(wi),n.x=o,n.y=a,n.z=c,this}makePerspective(e,t,n,s,r,o,a=gi,c=!1){let l=this.elements,u=2*r/(t-e),h=2*r/(n-s),d=(t+e)/(t-e),f=(n+s)/(n-s),g,S;if(c)g=r/(o-r),S=o*r/(o-r);else if(a===gi)g=-(o+r)/(o-r),S=-2*o*r/(o-r);else if(a===qr)g=-o/(o-r),S=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return l[0]=u,l[4]=0,l[8]=d,l[12]=0,l[1]=0,l[5]=h,l[9]=f,l[13]=0,l[2]=0,l[6]=0,l[10]=g,l[14]=S,l[3]=0,l[7]=0,l[11]=-1,l[15]=0,this}makeOrthographic(e,t,n,s,r,o,a=gi,c=!1){let l=this.elements,u=2/(t-e),h=2/(n-s),d=-(t+e)/(t-e),f=-(n+s)/(n-s),g,S;if(c)g=1/(o-r),S=o/(o-r);else if(a===gi)g=-2/(o-r),S=-(o+r)/(o-r);else if(a===qr)g=-1/(o-r),S=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return l[0]=u,l[4]=0,l[8]=0,l[12]=d,l[1]=0,l[5]=h,l[9]=0,l[13]=f,l[2]=0,l[6]=0,l[10]=g,l[14]=S,l[3]=0,l[7]=0,l[11]=0,l[15]=1,this}equals(e){let t=this.elements,n=e.elements;for(let s=0;s<16;s++)if(t[s]!==n[s])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}},Lr=new X,wi=new It,$0=new X(0,0,0),Z0=new X(1,1,1),Ls=new X,Ha=new X,ri=new X,hf=new It,uf=new _i,Yi=class i{constructor(e=0,t=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=e,this._y=t,this._z=n,this._order=s}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,n,s=this._order){return this._x=e,this._y=t,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,n=!0){let s=e.elements,r=s[0],o=s[4],a=s[8],c=s[1],l=s[5],u=s[9],h=s[2],d=s[6],f=s[10];switch(t){case"XYZ":this._y=Math.asin(xt(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-u,f),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(d,l),this._z=0);break;case"YXZ":this._x=Math.asin(-xt(u,-1,1)),Math.abs(u)<.9999999?(this._y=Math.atan2(a,f),this._z=Math.atan2(c,l)):(this._y=Math.atan2(-h,r),this._z=0);break;case"ZXY":this._x=Math.asin(xt(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-h,f),this._z=Math.atan2(-o,l)):(this._y=0,this._z=Math.atan2(c,r));break;case"ZYX":this._y=Math.asin(-xt(h,-1,1)),Math.abs(h)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(c,r)):(this._x=0,this._z=Math.atan2(-o,l));break;case"YZX":this._z=Math.asin(xt(c,-1,1)),Math.abs(c)<.9999999?(this._x=Math.atan2(-u,l),this._y=Math.atan2(-h,r)):(this._x=0,this._y=Math.atan2(a,f));break;case"XZY":this._z=Math.asin(-xt(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(d,l),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-u,f),this._y=0);break;default:$e("Euler: .setFromRotationMatrix() encountered an unknown order: "+t)}return this._order=t,n===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,n){return hf.makeRotationFromQuaternion(e),this.setFromRotationMatrix(hf,t,n)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return uf.setFromEuler(this),this.setFromQuaternion(uf,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};Yi.DEFAULT_ORDER="XYZ";var Yo=class{constructor(){this.mask=1}set(e){this.mask=(1<<e|0)>>>0}enable(e){this.mask|=1<<e|0}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e|0}disable(e){this.mask&=~(1<<e|0)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return(this.mask&(1<<e|0))!==0}},J0=0,df=new X,Dr=new _i,as=new It,Ga=new X,Uo=new X,K0=new X,j0=new _i,ff=new X(1,0,0),pf=new X(0,1,0),mf=new X(0,0,1),gf={type:"added"},Q0={type:"removed"},Nr={type:"childadded",child:null},Bh={type:"childremoved",child:null},Pn=class i extends qi{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:J0++}),this.uuid=ur(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let e=new X,t=new Yi,n=new _i,s=new X(1,1,1);function r(){n.setFromEuler(t,!1)}function o(){t.setFromQuaternion(n,void 0,!1)}t._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:e},rotation:{configurable:!0,enumerable:!0,value:t},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new It},normalMatrix:{value:new tt}}),this.matrix=new It,this.matrixWorld=new It,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Yo,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return Dr.setFromAxisAngle(e,t),this.quaternion.multiply(Dr),this}rotateOnWorldAxis(e,t){return Dr.setFromAxisAngle(e,t),this.quaternion.premultiply(Dr),this}rotateX(e){return this.rotateOnAxis(ff,e)}rotateY(e){return this.rotateOnAxis(pf,e)}rotateZ(e){return this.rotateOnAxis(mf,e)}translateOnAxis(e,t){return df.copy(e).applyQuaternion(this.quaternion),this.position.add(df.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(ff,e)}translateY(e){return this.translateOnAxis(pf,e)}translateZ(e){return this.translateOnAxis(mf,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(as.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?Ga.copy(e):Ga.set(e,t,n);let s=this.parent;this.updateWorldMatrix(!0,!1),Uo.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?as.lookAt(Uo,Ga,this.up):as.lookAt(Ga,Uo,this.up),this.quaternion.setFromRotationMatrix(as),s&&(as.extractRotation(s.matrixWorld),Dr.setFromRotationMatrix(as),this.quaternion.premultiply(Dr.invert()))}add(e){if(arguments.length>1){for(let t=0;t<arguments.length;t++)this.add(arguments[t]);return this}return e===this?(et("Object3D.add: object can't be added as a child of itself.",e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(gf),Nr.child=e,this.dispatchEvent(Nr),Nr.child=null):et("Object3D.add: object not an instance of THREE.Object3D.",e),this)}remove(e){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(Q0),Bh.child=e,this.dispatchEvent(Bh),Bh.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),as.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),as.multiply(e.parent.matrixWorld)),e.applyMatrix4(as),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(gf),Nr.child=e,this.dispatchEvent(Nr),Nr.child=null,this}getObjectById(e){return this.getObjectByProperty("id",e)}getObjectByName(e){return this.getObjectByProperty("name",e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(e,t);if(o!==void 0)return o}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Uo,e,K0),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Uo,j0,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,n=e.y,s=e.z,r=this.matrix.elements;r[12]+=t-r[0]*t-r[4]*n-r[8]*s,r[13]+=n-r[1]*t-r[5]*n-r[9]*s,r[14]+=s-r[2]*t-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){let s=this.parent;if(e===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(e){let t=e===void 0||typeof e=="string",n={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(e),s.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,c){return a[c.uuid]===void 0&&(a[c.uuid]=c.toJSON(e)),c.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(e.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let c=a.shapes;if(Array.isArray(c))for(let l=0,u=c.length;l<u;l++){let h=c[l];r(e.shapes,h)}else r(e.shapes,c)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(e.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let c=0,l=this.material.length;c<l;c++)a.push(r(e.materials,this.material[c]));s.material=a}else s.material=r(e.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(e).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let c=this.animations[a];s.animations.push(r(e.animations,c))}}if(t){let a=o(e.geometries),c=o(e.materials),l=o(e.textures),u=o(e.images),h=o(e.shapes),d=o(e.skeletons),f=o(e.animations),g=o(e.nodes);a.length>0&&(n.geometries=a),c.length>0&&(n.materials=c),l.length>0&&(n.textures=l),u.length>0&&(n.images=u),h.length>0&&(n.shapes=h),d.length>0&&(n.skeletons=d),f.length>0&&(n.animations=f),g.length>0&&(n.nodes=g)}return n.object=s,n;function o(a){let c=[];for(let l in a){let u=a[l];delete u.metadata,c.push(u)}return c}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot!==null?e.pivot.clone():null,this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let n=0;n<e.children.length;n++){let s=e.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};Pn.DEFAULT_UP=new X(0,1,0);Pn.DEFAULT_MATRIX_AUTO_UPDATE=!0;Pn.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var tn=class extends Pn{constructor(){super(),this.isGroup=!0,this.type="Group"}},e_={type:"move"},Zr=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new tn,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new tn,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new X,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new X),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new tn,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new X,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new X,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this._hand;if(t)for(let n of e.hand.values())this._getHandJoint(t,n)}return this.dispatchEvent({type:"connected",data:e}),this}disconnect(e){return this.dispatchEvent({type:"disconnected",data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,n){let s=null,r=null,o=null,a=this._targetRay,c=this._grip,l=this._hand;if(e&&t.session.visibilityState!=="visible-blurred"){if(l&&e.hand){o=!0;for(let S of e.hand.values()){let m=t.getJointPose(S,n),p=this._getHandJoint(l,S);m!==null&&(p.matrix.fromArray(m.transform.matrix),p.matrix.decompose(p.position,p.quaternion,p.scale),p.matrixWorldNeedsUpdate=!0,p.jointRadius=m.radius),p.visible=m!==null}let u=l.joints["index-finger-tip"],h=l.joints["thumb-tip"],d=u.position.distanceTo(h.position),f=.02,g=.005;l.inputState.pinching&&d>f+g?(l.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:e.handedness,target:this})):!l.inputState.pinching&&d<=f-g&&(l.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:e.handedness,target:this}))}else c!==null&&e.gripSpace&&(r=t.getPose(e.gripSpace,n),r!==null&&(c.matrix.fromArray(r.transform.matrix),c.matrix.decompose(c.position,c.quaternion,c.scale),c.matrixWorldNeedsUpdate=!0,r.linearVelocity?(c.hasLinearVelocity=!0,c.linearVelocity.copy(r.linearVelocity)):c.hasLinearVelocity=!1,r.angularVelocity?(c.hasAngularVelocity=!0,c.angularVelocity.copy(r.angularVelocity)):c.hasAngularVelocity=!1,c.eventsEnabled&&c.dispatchEvent({type:"gripUpdated",data:e,target:this})));a!==null&&(s=t.getPose(e.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(e_)))}return a!==null&&(a.visible=s!==null),c!==null&&(c.visible=r!==null),l!==null&&(l.visible=o!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){let n=new tn;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}},Sp={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Ds={h:0,s:0,l:0},Va={h:0,s:0,l:0};function kh(i,e,t){return t<0&&(t+=1),t>1&&(t-=1),t<1/6?i+(e-i)*6*t:t<1/2?e:t<2/3?i+(e-i)*6*(2/3-t):i}var qe=class{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){let s=e;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=qn){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,gt.colorSpaceToWorking(this,t),this}setRGB(e,t,n,s=gt.workingColorSpace){return this.r=e,this.g=t,this.b=n,gt.colorSpaceToWorking(this,s),this}setHSL(e,t,n,s=gt.workingColorSpace){if(e=W0(e,1),t=xt(t,0,1),n=xt(n,0,1),t===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+t):n+t-n*t,o=2*n-r;this.r=kh(o,r,e+1/3),this.g=kh(o,r,e),this.b=kh(o,r,e-1/3)}return gt.colorSpaceToWorking(this,s),this}setStyle(e,t=qn){function n(r){r!==void 0&&parseFloat(r)<1&&$e("Color: Alpha component of "+e+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(e)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,t);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,t);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,t);break;default:$e("Color: Unknown color model "+e)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(e)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,t);if(o===6)return this.setHex(parseInt(r,16),t);$e("Color: Invalid hex color "+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=qn){let n=Sp[e.toLowerCase()];return n!==void 0?this.setHex(n,t):$e("Color: Unknown color "+e),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=fs(e.r),this.g=fs(e.g),this.b=fs(e.b),this}copyLinearToSRGB(e){return this.r=Wr(e.r),this.g=Wr(e.g),this.b=Wr(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=qn){return gt.workingToColorSpace(Fn.copy(this),e),Math.round(xt(Fn.r*255,0,255))*65536+Math.round(xt(Fn.g*255,0,255))*256+Math.round(xt(Fn.b*255,0,255))}getHexString(e=qn){return("000000"+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=gt.workingColorSpace){gt.workingToColorSpace(Fn.copy(this),t);let n=Fn.r,s=Fn.g,r=Fn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),c,l,u=(a+o)/2;if(a===o)c=0,l=0;else{let h=o-a;switch(l=u<=.5?h/(o+a):h/(2-o-a),o){case n:c=(s-r)/h+(s<r?6:0);break;case s:c=(r-n)/h+2;break;case r:c=(n-s)/h+4;break}c/=6}return e.h=c,e.s=l,e.l=u,e}getRGB(e,t=gt.workingColorSpace){return gt.workingToColorSpace(Fn.copy(this),t),e.r=Fn.r,e.g=Fn.g,e.b=Fn.b,e}getStyle(e=qn){gt.workingToColorSpace(Fn.copy(this),e);let t=Fn.r,n=Fn.g,s=Fn.b;return e!==qn?`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(e,t,n){return this.getHSL(Ds),this.setHSL(Ds.h+e,Ds.s+t,Ds.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(Ds),e.getHSL(Va);let n=Dh(Ds.h,Va.h,t),s=Dh(Ds.s,Va.s,t),r=Dh(Ds.l,Va.l,t);return this.setHSL(n,s,r),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,n=this.g,s=this.b,r=e.elements;return this.r=r[0]*t+r[3]*n+r[6]*s,this.g=r[1]*t+r[4]*n+r[7]*s,this.b=r[2]*t+r[5]*n+r[8]*s,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Fn=new qe;qe.NAMES=Sp;var $o=class i{constructor(e,t=1,n=1e3){this.isFog=!0,this.name="",this.color=new qe(e),this.near=t,this.far=n}clone(){return new i(this.color,this.near,this.far)}toJSON(){return{type:"Fog",name:this.name,color:this.color.getHex(),near:this.near,far:this.far}}},sr=class extends Pn{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Yi,this.environmentIntensity=1,this.environmentRotation=new Yi,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background!==null?e.background.clone():null,this.environment=e.environment!==null?e.environment.clone():null,this.fog=e.fog!==null?e.fog.clone():null,this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial!==null?e.overrideMaterial.clone():null,this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){let t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}},Ei=new X,ls=new X,zh=new X,cs=new X,Ur=new X,Fr=new X,_f=new X,Hh=new X,Gh=new X,Vh=new X,Wh=new qt,Xh=new qt,qh=new qt,ds=class i{constructor(e=new X,t=new X,n=new X){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,s){s.subVectors(n,t),Ei.subVectors(e,t),s.cross(Ei);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(e,t,n,s,r){Ei.subVectors(s,t),ls.subVectors(n,t),zh.subVectors(e,t);let o=Ei.dot(Ei),a=Ei.dot(ls),c=Ei.dot(zh),l=ls.dot(ls),u=ls.dot(zh),h=o*l-a*a;if(h===0)return r.set(0,0,0),null;let d=1/h,f=(l*c-a*u)*d,g=(o*u-a*c)*d;return r.set(1-f-g,g,f)}static containsPoint(e,t,n,s){return this.getBarycoord(e,t,n,s,cs)===null?!1:cs.x>=0&&cs.y>=0&&cs.x+cs.y<=1}static getInterpolation(e,t,n,s,r,o,a,c){return this.getBarycoord(e,t,n,s,cs)===null?(c.x=0,c.y=0,"z"in c&&(c.z=0),"w"in c&&(c.w=0),null):(c.setScalar(0),c.addScaledVector(r,cs.x),c.addScaledVector(o,cs.y),c.addScaledVector(a,cs.z),c)}static getInterpolatedAttribute(e,t,n,s,r,o){return Wh.setScalar(0),Xh.setScalar(0),qh.setScalar(0),Wh.fromBufferAttribute(e,t),Xh.fromBufferAttribute(e,n),qh.fromBufferAttribute(e,s),o.setScalar(0),o.addScaledVector(Wh,r.x),o.addScaledVector(Xh,r.y),o.addScaledVector(qh,r.z),o}static isFrontFacing(e,t,n,s){return Ei.subVectors(n,t),ls.subVectors(e,t),Ei.cross(ls).dot(s)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,s){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[s]),this}setFromAttributeAndIndices(e,t,n,s){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,s),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return Ei.subVectors(this.c,this.b),ls.subVectors(this.a,this.b),Ei.cross(ls).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(e){return i.getNormal(this.a,this.b,this.c,e)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(e,t){return i.getBarycoord(e,this.a,this.b,this.c,t)}getInterpolation(e,t,n,s,r){return i.getInterpolation(e,this.a,this.b,this.c,t,n,s,r)}containsPoint(e){return i.containsPoint(e,this.a,this.b,this.c)}isFrontFacing(e){return i.isFrontFacing(this.a,this.b,this.c,e)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let n=this.a,s=this.b,r=this.c,o,a;Ur.subVectors(s,n),Fr.subVectors(r,n),Hh.subVectors(e,n);let c=Ur.dot(Hh),l=Fr.dot(Hh);if(c<=0&&l<=0)return t.copy(n);Gh.subVectors(e,s);let u=Ur.dot(Gh),h=Fr.dot(Gh);if(u>=0&&h<=u)return t.copy(s);let d=c*h-u*l;if(d<=0&&c>=0&&u<=0&&c-u>0)return o=c/(c-u),t.copy(n).addScaledVector(Ur,o);Vh.subVectors(e,r);let f=Ur.dot(Vh),g=Fr.dot(Vh);if(g>=0&&f<=g)return t.copy(r);let S=f*l-c*g;if(S<=0&&l>=0&&g<=0)return a=l/(l-g),t.copy(n).addScaledVector(Fr,a);let m=u*g-f*h;if(m<=0&&h-u>=0&&f-g>=0)return _f.subVectors(r,s),a=(h-u)/(h-u+(f-g)),t.copy(s).addScaledVector(_f,a);let p=1/(m+S+d);return o=S*p,a=d*p,t.copy(n).addScaledVector(Ur,o).addScaledVector(Fr,a)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},Os=class{constructor(e=new X(1/0,1/0,1/0),t=new X(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint(Ti.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint(Ti.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let n=Ti.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let n=e.geometry;if(n!==void 0){let r=n.getAttribute("position");if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)e.isMesh===!0?e.getVertexPosition(o,Ti):Ti.fromBufferAttribute(r,o),Ti.applyMatrix4(e.matrixWorld),this.expandByPoint(Ti);else e.boundingBox!==void 0?(e.boundingBox===null&&e.computeBoundingBox(),Wa.copy(e.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),Wa.copy(n.boundingBox)),Wa.applyMatrix4(e.matrixWorld),this.union(Wa)}let s=e.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,Ti),Ti.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(Fo),Xa.subVectors(this.max,Fo),Or.subVectors(e.a,Fo),Br.subVectors(e.b,Fo),kr.subVectors(e.c,Fo),Ns.subVectors(Br,Or),Us.subVectors(kr,Br),er.subVectors(Or,kr);let t=[0,-Ns.z,Ns.y,0,-Us.z,Us.y,0,-er.z,er.y,Ns.z,0,-Ns.x,Us.z,0,-Us.x,er.z,0,-er.x,-Ns.y,Ns.x,0,-Us.y,Us.x,0,-er.y,er.x,0];return!Yh(t,Or,Br,kr,Xa)||(t=[1,0,0,0,1,0,0,0,1],!Yh(t,Or,Br,kr,Xa))?!1:(qa.crossVectors(Ns,Us),t=[qa.x,qa.y,qa.z],Yh(t,Or,Br,kr,Xa))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,Ti).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(Ti).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()?this:(hs[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),hs[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),hs[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),hs[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),hs[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),hs[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),hs[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),hs[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(hs),this)}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}},hs=[new X,new X,new X,new X,new X,new X,new X,new X],Ti=new X,Wa=new Os,Or=new X,Br=new X,kr=new X,Ns=new X,Us=new X,er=new X,Fo=new X,Xa=new X,qa=new X,tr=new X;function Yh(i,e,t,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){tr.fromArray(i,r);let a=s.x*Math.abs(tr.x)+s.y*Math.abs(tr.y)+s.z*Math.abs(tr.z),c=e.dot(tr),l=t.dot(tr),u=n.dot(tr);if(Math.max(-Math.max(c,l,u),Math.min(c,l,u))>a)return!1}return!0}var dn=new X,Ya=new ut,t_=0,Ft=class extends qi{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:t_++}),this.name="",this.array=e,this.itemSize=t,this.count=e!==void 0?e.length/t:0,this.normalized=n,this.usage=Du,this.updateRanges=[],this.gpuType=li,this.version=0,this._normalizationScale=e!==void 0?Nc(e):void 0}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[e+s]=t.array[n+s];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)Ya.fromBufferAttribute(this,t),Ya.applyMatrix3(e),this.setXY(t,Ya.x,Ya.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)dn.fromBufferAttribute(this,t),dn.applyMatrix3(e),this.setXYZ(t,dn.x,dn.y,dn.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)dn.fromBufferAttribute(this,t),dn.applyMatrix4(e),this.setXYZ(t,dn.x,dn.y,dn.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)dn.fromBufferAttribute(this,t),dn.applyNormalMatrix(e),this.setXYZ(t,dn.x,dn.y,dn.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)dn.fromBufferAttribute(this,t),dn.transformDirection(e),this.setXYZ(t,dn.x,dn.y,dn.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,s){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=s,this}setXYZW(e,t,n,s,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=s,this.array[e+3]=r,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(e){let t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):vp(e,this.array)}_normalize(e){let t=this._normalizationScale;return t!==void 0?Math.round(e*t):yp(e,this.array)}};var Zo=class extends Ft{constructor(e,t,n){super(new Uint16Array(e),t,n)}};var Jo=class extends Ft{constructor(e,t,n){super(new Uint32Array(e),t,n)}};var Xt=class extends Ft{constructor(e,t,n){super(new Float32Array(e),t,n)}},n_=new Os,Oo=new X,$h=new X,Bs=class{constructor(e=new X,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let n=this.center;t!==void 0?n.copy(t):n_.setFromPoints(e).getCenter(n);let s=0;for(let r=0,o=e.length;r<o;r++)s=Math.max(s,n.distanceToSquared(e[r]));return this.radius=Math.sqrt(s),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius=this.radius*e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;Oo.subVectors(e,this.center);let t=Oo.lengthSq();if(t>this.radius*this.radius){let n=Math.sqrt(t),s=(n-this.radius)*.5;this.center.addScaledVector(Oo,s/n),this.radius+=s}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):($h.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(Oo.copy(e.center).add($h)),this.expandByPoint(Oo.copy(e.center).sub($h))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}},i_=0,mi=new It,Zh=new Pn,zr=new X,oi=new Os,Bo=new Os,Cn=new X,_n=class i extends qi{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:i_++}),this.uuid=ur(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return Array.isArray(e)?this.index=new(G0(e)?Jo:Zo)(e,1):this.index=e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new tt().getNormalMatrix(e);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(e),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return mi.makeRotationFromQuaternion(e),this.applyMatrix4(mi),this}rotateX(e){return mi.makeRotationX(e),this.applyMatrix4(mi),this}rotateY(e){return mi.makeRotationY(e),this.applyMatrix4(mi),this}rotateZ(e){return mi.makeRotationZ(e),this.applyMatrix4(mi),this}translate(e,t,n){return mi.makeTranslation(e,t,n),this.applyMatrix4(mi),this}scale(e,t,n){return mi.makeScale(e,t,n),this.applyMatrix4(mi),this}lookAt(e){return Zh.lookAt(e),Zh.updateMatrix(),this.applyMatrix4(Zh.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(zr).negate(),this.translate(zr.x,zr.y,zr.z),this}setFromPoints(e){let t=this.getAttribute("position");if(t===void 0){let n=[];for(let s=0,r=e.length;s<r;s++){let o=e[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new Xt(n,3))}else{let n=Math.min(e.length,t.count);for(let s=0;s<n;s++){let r=e[s];t.setXYZ(s,r.x,r.y,r.z||0)}e.length>t.count&&$e("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Os);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){et("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new X(-1/0,-1/0,-1/0),new X(1/0,1/0,1/0));return}if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let n=0,s=t.length;n<s;n++){let r=t[n];oi.setFromBufferAttribute(r),this.morphTargetsRelative?(Cn.addVectors(this.boundingBox.min,oi.min),this.boundingBox.expandByPoint(Cn),Cn.addVectors(this.boundingBox.max,oi.max),this.boundingBox.expandByPoint(Cn)):(this.boundingBox.expandByPoint(oi.min),this.boundingBox.expandByPoint(oi.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&et('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Bs);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){et("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new X,1/0);return}if(e){let n=this.boundingSphere.center;if(oi.setFromBufferAttribute(e),t)for(let r=0,o=t.length;r<o;r++){let a=t[r];Bo.setFromBufferAttribute(a),this.morphTargetsRelative?(Cn.addVectors(oi.min,Bo.min),oi.expandByPoint(Cn),Cn.addVectors(oi.max,Bo.max),oi.expandByPoint(Cn)):(oi.expandByPoint(Bo.min),oi.expandByPoint(Bo.max))}oi.getCenter(n);let s=0;for(let r=0,o=e.count;r<o;r++)Cn.fromBufferAttribute(e,r),s=Math.max(s,n.distanceToSquared(Cn));if(t)for(let r=0,o=t.length;r<o;r++){let a=t[r],c=this.morphTargetsRelative;for(let l=0,u=a.count;l<u;l++)Cn.fromBufferAttribute(a,l),c&&(zr.fromBufferAttribute(e,l),Cn.add(zr)),s=Math.max(s,n.distanceToSquared(Cn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&et('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){et("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=t.position,s=t.normal,r=t.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new Ft(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],c=[],l=new Uint8Array(n.count);for(let O=0;O<n.count;O++)a[O]=new X,c[O]=new X;let u=new X,h=new X,d=new X,f=new ut,g=new ut,S=new ut,m=new X,p=new X;function v(O,D,L){l[O]=l[D]=l[L]=1,u.fromBufferAttribute(n,O),h.fromBufferAttribute(n,D),d.fromBufferAttribute(n,L),f.fromBufferAttribute(r,O),g.fromBufferAttribute(r,D),S.fromBufferAttribute(r,L),h.sub(u),d.sub(u),g.sub(f),S.sub(f);let H=1/(g.x*S.y-S.x*g.y);isFinite(H)&&(m.copy(h).multiplyScalar(S.y).addScaledVector(d,-g.y).multiplyScalar(H),p.copy(d).multiplyScalar(g.x).addScaledVector(h,-S.x).multiplyScalar(H),a[O].add(m),a[D].add(m),a[L].add(m),c[O].add(p),c[D].add(p),c[L].add(p))}let T=this.groups;T.length===0&&(T=[{start:0,count:e.count}]);for(let O=0,D=T.length;O<D;++O){let L=T[O],H=L.start,V=L.count;for(let N=H,G=H+V;N<G;N+=3)v(e.getX(N+0),e.getX(N+1),e.getX(N+2))}let M=new X,C=new X,A=new X,x=new X;function E(O){A.fromBufferAttribute(s,O),x.copy(A);let D=a[O];M.copy(D),M.sub(A.multiplyScalar(A.dot(D))).normalize(),C.crossVectors(x,D);let H=C.dot(c[O])<0?-1:1;o.setXYZW(O,M.x,M.y,M.z,H)}for(let O=0,D=n.count;O<D;++O)l[O]&&E(O);this._transformed=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute("position");if(t!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==t.count)n=new Ft(new Float32Array(t.count*3),3),this.setAttribute("normal",n);else for(let d=0,f=n.count;d<f;d++)n.setXYZ(d,0,0,0);let s=new X,r=new X,o=new X,a=new X,c=new X,l=new X,u=new X,h=new X;if(e)for(let d=0,f=e.count;d<f;d+=3){let g=e.getX(d+0),S=e.getX(d+1),m=e.getX(d+2);s.fromBufferAttribute(t,g),r.fromBufferAttribute(t,S),o.fromBufferAttribute(t,m),u.subVectors(o,r),h.subVectors(s,r),u.cross(h),a.fromBufferAttribute(n,g),c.fromBufferAttribute(n,S),l.fromBufferAttribute(n,m),a.add(u),c.add(u),l.add(u),n.setXYZ(g,a.x,a.y,a.z),n.setXYZ(S,c.x,c.y,c.z),n.setXYZ(m,l.x,l.y,l.z)}else for(let d=0,f=t.count;d<f;d+=3)s.fromBufferAttribute(t,d+0),r.fromBufferAttribute(t,d+1),o.fromBufferAttribute(t,d+2),u.subVectors(o,r),h.subVectors(s,r),u.cross(h),n.setXYZ(d+0,u.x,u.y,u.z),n.setXYZ(d+1,u.x,u.y,u.z),n.setXYZ(d+2,u.x,u.y,u.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)Cn.fromBufferAttribute(e,t),Cn.normalize(),e.setXYZ(t,Cn.x,Cn.y,Cn.z)}toNonIndexed(){function e(a,c){let l=a.array,u=a.itemSize,h=a.normalized,d=new l.constructor(c.length*u),f=0,g=0;for(let S=0,m=c.length;S<m;S++){a.isInterleavedBufferAttribute?f=c[S]*a.data.stride+a.offset:f=c[S]*u;for(let p=0;p<u;p++)d[g++]=l[f++]}return new Ft(d,u,h)}if(this.index===null)return $e("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let t=new i,n=this.index.array,s=this.attributes;for(let a in s){let c=s[a],l=e(c,n);t.setAttribute(a,l)}let r=this.morphAttributes;for(let a in r){let c=[],l=r[a];for(let u=0,h=l.length;u<h;u++){let d=l[u],f=e(d,n);c.push(f)}t.morphAttributes[a]=c}t.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,c=o.length;a<c;a++){let l=o[a];t.addGroup(l.start,l.count,l.materialIndex)}return t}toJSON(){let e={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let c=this.parameters;for(let l in c)c[l]!==void 0&&(e[l]=c[l]);return e}e.data={attributes:{}};let t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});let n=this.attributes;for(let c in n){let l=n[c];e.data.attributes[c]=l.toJSON(e.data)}let s={},r=!1;for(let c in this.morphAttributes){let l=this.morphAttributes[c],u=[];for(let h=0,d=l.length;h<d;h++){let f=l[h];u.push(f.toJSON(e.data))}u.length>0&&(s[c]=u,r=!0)}r&&(e.data.morphAttributes=s,e.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(e.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(e.data.boundingSphere=a.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let n=e.index;n!==null&&this.setIndex(n.clone());let s=e.attributes;for(let l in s){let u=s[l];this.setAttribute(l,u.clone(t))}let r=e.morphAttributes;for(let l in r){let u=[],h=r[l];for(let d=0,f=h.length;d<f;d++)u.push(h[d].clone(t));this.morphAttributes[l]=u}this.morphTargetsRelative=e.morphTargetsRelative;let o=e.groups;for(let l=0,u=o.length;l<u;l++){let h=o[l];this.addGroup(h.start,h.count,h.materialIndex)}let a=e.boundingBox;a!==null&&(this.boundingBox=a.clone());let c=e.boundingSphere;return c!==null&&(this.boundingSphere=c.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}},Il=class{constructor(e,t){this.isInterleavedBuffer=!0,this.array=e,this.stride=t,this.count=e!==void 0?e.length/t:0,this.usage=Du,this.updateRanges=[],this.version=0,this.uuid=ur()}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.array=new e.array.constructor(e.array),this.count=e.count,this.stride=e.stride,this.usage=e.usage,this}copyAt(e,t,n){e*=this.stride,n*=t.stride;for(let s=0,r=this.stride;s<r;s++)this.array[e+s]=t.array[n+s];return this}set(e,t=0){return this.array.set(e,t),this}clone(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=xf(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=this.array.slice(0).buffer);let n=new this.array.constructor(e.arrayBuffers[t]),s=new this.constructor(n,this.stride);return s.setUsage(this.usage),s}onUpload(e){return this.onUploadCallback=e,this}toJSON(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=xf(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=Array.from(new Uint32Array(this.array.slice(0).buffer)));let n={uuid:this.uuid,buffer:t,type:this.array.constructor.name,stride:this.stride};return n.usage=this.usage,n}};function xf(i){return i.buffer._uuid===void 0&&(i.buffer._uuid=ur()),i.byteOffset===0&&i.byteLength===i.buffer.byteLength?i.buffer._uuid:i.buffer._uuid+":"+i.byteOffset+":"+i.byteLength}var Xn=new X,ms=class i{constructor(e,t,n,s=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=e,this.itemSize=t,this.offset=n,this.normalized=s,this._normalizationScale=e!==void 0?Nc(e.array):void 0}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(e){this.data.needsUpdate=e}applyMatrix4(e){for(let t=0,n=this.data.count;t<n;t++)Xn.fromBufferAttribute(this,t),Xn.applyMatrix4(e),this.setXYZ(t,Xn.x,Xn.y,Xn.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)Xn.fromBufferAttribute(this,t),Xn.applyNormalMatrix(e),this.setXYZ(t,Xn.x,Xn.y,Xn.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)Xn.fromBufferAttribute(this,t),Xn.transformDirection(e),this.setXYZ(t,Xn.x,Xn.y,Xn.z);return this}getComponent(e,t){let n=this.array[e*this.data.stride+this.offset+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.data.array[e*this.data.stride+this.offset+t]=n,this}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset]=t,this}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+1]=t,this}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+2]=t,this}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+3]=t,this}getX(e){let t=this.data.array[e*this.data.stride+this.offset];return this.normalized&&(t=this._denormalize(t)),t}getY(e){let t=this.data.array[e*this.data.stride+this.offset+1];return this.normalized&&(t=this._denormalize(t)),t}getZ(e){let t=this.data.array[e*this.data.stride+this.offset+2];return this.normalized&&(t=this._denormalize(t)),t}getW(e){let t=this.data.array[e*this.data.stride+this.offset+3];return this.normalized&&(t=this._denormalize(t)),t}setXY(e,t,n){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.data.array[e+0]=t,this.data.array[e+1]=n,this}setXYZ(e,t,n,s){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=s,this}setXYZW(e,t,n,s,r){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=s,this.data.array[e+3]=r,this}clone(e){if(e===void 0){Xo("InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[s+r])}return new Ft(new this.array.constructor(t),this.itemSize,this.normalized)}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.clone(e)),new i(e.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(e){if(e===void 0){Xo("InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[s+r])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:t,normalized:this.normalized}}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.toJSON(e)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}_denormalize(e){let t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):vp(e,this.data.array)}_normalize(e){let t=this._normalizationScale;return t!==void 0?Math.round(e*t):yp(e,this.data.array)}},Jh=new X,s_=new X,r_=new tt,Ai=class{constructor(e=new X(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,s){return this.normal.set(e,t,n),this.constant=s,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){let s=Jh.subVectors(n,t).cross(s_.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(s,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){let s=e.delta(Jh),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let o=-(e.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:t.copy(e.start).addScaledVector(s,o)}intersectsLine(e){let t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let n=t||r_.getNormalMatrix(e),s=this.coplanarPoint(Jh).applyMatrix4(e),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}},o_=0,Ri=class extends qi{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:o_++}),this.uuid=ur(),this.name="",this.type="Material",this.blending=so,this.side=Ws,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=pu,this.blendDst=mu,this.blendEquation=ar,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new qe(0,0,0),this.blendAlpha=0,this.depthFunc=Xr,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=lp,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=ml,this.stencilZFail=ml,this.stencilZPass=ml,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let n=e[t];if(n===void 0){$e(`Material: parameter '${t}' has value of undefined.`);continue}let s=this[t];if(s===void 0){$e(`Material: '${t}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e=="string";t&&(e={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(e).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(e).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(e).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(e).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(e).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let c=r[a];delete c.metadata,o.push(c)}return o}if(t){let r=s(e.textures),o=s(e.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new qe().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(n=>new Ai().fromJSON(n))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(typeof e.vertexColors=="number"?this.vertexColors=e.vertexColors>0:this.vertexColors=e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let n=e.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new ut().fromArray(n)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new ut().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,n=null;if(t!==null){let s=t.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(e){e===!0&&this.version++}};var us=new X,Kh=new X,$a=new X,Za=new X,Jr=class{constructor(e=new X,t=new X(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,us)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=us.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(us.copy(this.origin).addScaledVector(this.direction,t),us.distanceToSquared(e))}distanceSqToSegment(e,t,n,s){Kh.copy(e).add(t).multiplyScalar(.5),$a.copy(t).sub(e).normalize(),Za.copy(this.origin).sub(Kh);let r=e.distanceTo(t)*.5,o=-this.direction.dot($a),a=Za.dot(this.direction),c=-Za.dot($a),l=Za.lengthSq(),u=Math.abs(1-o*o),h,d,f,g;if(u>0)if(h=o*c-a,d=o*a-c,g=r*u,h>=0)if(d>=-g)if(d<=g){let S=1/u;h*=S,d*=S,f=h*(h+o*d+2*a)+d*(o*h+d+2*c)+l}else d=r,h=Math.max(0,-(o*d+a)),f=-h*h+d*(d+2*c)+l;else d=-r,h=Math.max(0,-(o*d+a)),f=-h*h+d*(d+2*c)+l;else d<=-g?(h=Math.max(0,-(-o*r+a)),d=h>0?-r:Math.min(Math.max(-r,-c),r),f=-h*h+d*(d+2*c)+l):d<=g?(h=0,d=Math.min(Math.max(-r,-c),r),f=d*(d+2*c)+l):(h=Math.max(0,-(o*r+a)),d=h>0?r:Math.min(Math.max(-r,-c),r),f=-h*h+d*(d+2*c)+l);else d=o>0?-r:r,h=Math.max(0,-(o*d+a)),f=-h*h+d*(d+2*c)+l;return n&&n.copy(this.origin).addScaledVector(this.direction,h),s&&s.copy(Kh).addScaledVector($a,d),f}intersectSphere(e,t){if(e.radius<0)return null;us.subVectors(e.center,this.origin);let n=us.dot(this.direction),s=us.dot(us)-n*n,r=e.radius*e.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,c=n+o;return c<0?null:a<0?this.at(c,t):this.at(a,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){let n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,s,r,o,a,c,l=1/this.direction.x,u=1/this.direction.y,h=1/this.direction.z,d=this.origin;return l>=0?(n=(e.min.x-d.x)*l,s=(e.max.x-d.x)*l):(n=(e.max.x-d.x)*l,s=(e.min.x-d.x)*l),u>=0?(r=(e.min.y-d.y)*u,o=(e.max.y-d.y)*u):(r=(e.max.y-d.y)*u,o=(e.min.y-d.y)*u),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),h>=0?(a=(e.min.z-d.z)*h,c=(e.max.z-d.z)*h):(a=(e.max.z-d.z)*h,c=(e.min.z-d.z)*h),n>c||a>s)||((a>n||n!==n)&&(n=a),(c<s||s!==s)&&(s=c),s<0)?null:this.at(n>=0?n:s,t)}intersectsBox(e){return this.intersectBox(e,us)!==null}intersectTriangle(e,t,n,s,r){let o=this.origin,a=this.direction,c=a.x,l=a.y,u=a.z,h=e.x-o.x,d=e.y-o.y,f=e.z-o.z,g=t.x-o.x,S=t.y-o.y,m=t.z-o.z,p=n.x-o.x,v=n.y-o.y,T=n.z-o.z,M=Math.abs(c),C=Math.abs(l),A=Math.abs(u),x,E,O,D,L,H,V,N,G,Z,z,le;if(M>=C&&M>=A?(O=c,H=h,G=g,le=p,c>=0?(x=l,E=u,D=d,L=f,V=S,N=m,Z=v,z=T):(x=u,E=l,D=f,L=d,V=m,N=S,Z=T,z=v)):C>=A?(O=l,H=d,G=S,le=v,l>=0?(x=u,E=c,D=f,L=h,V=m,N=g,Z=T,z=p):(x=c,E=u,D=h,L=f,V=g,N=m,Z=p,z=T)):(O=u,H=f,G=m,le=T,u>=0?(x=c,E=l,D=h,L=d,V=g,N=S,Z=p,z=v):(x=l,E=c,D=d,L=h,V=S,N=g,Z=v,z=p)),O===0)return null;let J=x/O,j=E/O,ie=1/O,ue=D-J*H,he=L-j*H,Q=V-J*G,me=N-j*G,xe=Z-J*le,Ae=z-j*le,Me=xe*me-Ae*Q,Ve=ue*Ae-he*xe,st=Q*he-me*ue;if(s){if(Me<0||Ve<0||st<0)return null}else if((Me<0||Ve<0||st<0)&&(Me>0||Ve>0||st>0))return null;let He=Me+Ve+st;if(He===0)return null;let ht=ie*(Me*H+Ve*G+st*le);return(He>0?ht<0:ht>0)?null:this.at(ht/He,r)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},Ll=class extends Ri{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new qe(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Yi,this.combine=Kl,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},vf=new It,nr=new Jr,Ja=new Bs,yf=new X,Ka=new X,ja=new X,Qa=new X,jh=new X,el=new X,Sf=new X,tl=new X,Yt=class extends Pn{constructor(e=new _n,t=new Ll){super(),this.isMesh=!0,this.type="Mesh",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(e,t){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;t.fromBufferAttribute(s,e);let a=this.morphTargetInfluences;if(r&&a){el.set(0,0,0);for(let c=0,l=r.length;c<l;c++){let u=a[c],h=r[c];u!==0&&(jh.fromBufferAttribute(h,e),o?el.addScaledVector(jh,u):el.addScaledVector(jh.sub(t),u))}t.add(el)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),Ja.copy(n.boundingSphere),Ja.applyMatrix4(r),nr.copy(e.ray).recast(e.near),!(Ja.containsPoint(nr.origin)===!1&&(nr.intersectSphere(Ja,yf)===null||nr.origin.distanceToSquared(yf)>(e.far-e.near)**2))&&(vf.copy(r).invert(),nr.copy(e.ray).applyMatrix4(vf),!(n.boundingBox!==null&&nr.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(e,t,nr)))}_computeIntersections(e,t,n){let s,r=this.geometry,o=this.material,a=r.index,c=r.attributes.position,l=r.attributes.uv,u=r.attributes.uv1,h=r.attributes.normal,d=r.groups,f=r.drawRange;if(a!==null)if(Array.isArray(o))for(let g=0,S=d.length;g<S;g++){let m=d[g],p=o[m.materialIndex],v=Math.max(m.start,f.start),T=Math.min(a.count,Math.min(m.start+m.count,f.start+f.count));for(let M=v,C=T;M<C;M+=3){let A=a.getX(M),x=a.getX(M+1),E=a.getX(M+2);s=nl(this,p,e,n,l,u,h,A,x,E),s&&(s.faceIndex=Math.floor(M/3),s.face.materialIndex=m.materialIndex,t.push(s))}}else{let g=Math.max(0,f.start),S=Math.min(a.count,f.start+f.count);for(let m=g,p=S;m<p;m+=3){let v=a.getX(m),T=a.getX(m+1),M=a.getX(m+2);s=nl(this,o,e,n,l,u,h,v,T,M),s&&(s.faceIndex=Math.floor(m/3),t.push(s))}}else if(c!==void 0)if(Array.isArray(o))for(let g=0,S=d.length;g<S;g++){let m=d[g],p=o[m.materialIndex],v=Math.max(m.start,f.start),T=Math.min(c.count,Math.min(m.start+m.count,f.start+f.count));for(let M=v,C=T;M<C;M+=3){let A=M,x=M+1,E=M+2;s=nl(this,p,e,n,l,u,h,A,x,E),s&&(s.faceIndex=Math.floor(M/3),s.face.materialIndex=m.materialIndex,t.push(s))}}else{let g=Math.max(0,f.start),S=Math.min(c.count,f.start+f.count);for(let m=g,p=S;m<p;m+=3){let v=m,T=m+1,M=m+2;s=nl(this,o,e,n,l,u,h,v,T,M),s&&(s.faceIndex=Math.floor(m/3),t.push(s))}}}};function a_(i,e,t,n,s,r,o,a){let c;if(e.side===Kn?c=n.intersectTriangle(o,r,s,!0,a):c=n.intersectTriangle(s,r,o,e.side===Ws,a),c===null)return null;tl.copy(a),tl.applyMatrix4(i.matrixWorld);let l=t.ray.origin.distanceTo(tl);return l<t.near||l>t.far?null:{distance:l,point:tl.clone(),object:i}}function nl(i,e,t,n,s,r,o,a,c,l){i.getVertexPosition(a,Ka),i.getVertexPosition(c,ja),i.getVertexPosition(l,Qa);let u=a_(i,e,t,n,Ka,ja,Qa,Sf);if(u){let h=new X;ds.getBarycoord(Sf,Ka,ja,Qa,h),s&&(u.uv=ds.getInterpolatedAttribute(s,a,c,l,h,new ut)),r&&(u.uv1=ds.getInterpolatedAttribute(r,a,c,l,h,new ut)),o&&(u.normal=ds.getInterpolatedAttribute(o,a,c,l,h,new X),u.normal.dot(n.direction)>0&&u.normal.multiplyScalar(-1));let d={a,b:c,c:l,normal:new X,materialIndex:0};ds.getNormal(Ka,ja,Qa,d.normal),u.face=d,u.barycoord=h}return u}var Kr=class extends ei{constructor(e=null,t=1,n=1,s,r,o,a,c,l=fn,u=fn,h,d){super(null,o,a,c,l,u,s,r,h,d),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var $i=class extends Ft{constructor(e,t,n,s=1){super(e,t,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}toJSON(){let e=super.toJSON();return e.meshPerAttribute=this.meshPerAttribute,e.isInstancedBufferAttribute=!0,e}};var ir=new Bs,l_=new ut(.5,.5),il=new X,ks=class{constructor(e=new Ai,t=new Ai,n=new Ai,s=new Ai,r=new Ai,o=new Ai){this.planes=[e,t,n,s,r,o]}set(e,t,n,s,r,o){let a=this.planes;return a[0].copy(e),a[1].copy(t),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(e){let t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=gi,n=!1){let s=this.planes,r=e.elements,o=r[0],a=r[1],c=r[2],l=r[3],u=r[4],h=r[5],d=r[6],f=r[7],g=r[8],S=r[9],m=r[10],p=r[11],v=r[12],T=r[13],M=r[14],C=r[15];if(s[0].setComponents(l-o,f-u,p-g,C-v).normalize(),s[1].setComponents(l+o,f+u,p+g,C+v).normalize(),s[2].setComponents(l+a,f+h,p+S,C+T).normalize(),s[3].setComponents(l-a,f-h,p-S,C-T).normalize(),n)s[4].setComponents(c,d,m,M).normalize(),s[5].setComponents(l-c,f-d,p-m,C-M).normalize();else if(s[4].setComponents(l-c,f-d,p-m,C-M).normalize(),t===gi)s[5].setComponents(l+c,f+d,p+m,C+M).normalize();else if(t===qr)s[5].setComponents(c,d,m,M).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),ir.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),ir.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(ir)}intersectsSprite(e){ir.center.set(0,0,0);let t=l_.distanceTo(e.center);return ir.radius=.7071067811865476+t,ir.applyMatrix4(e.matrixWorld),this.intersectsSphere(ir)}intersectsSphere(e){let t=this.planes,n=e.center,s=-e.radius;for(let r=0;r<6;r++)if(t[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(e){let t=this.planes;for(let n=0;n<6;n++){let s=t[n];if(il.x=s.normal.x>0?e.max.x:e.min.x,il.y=s.normal.y>0?e.max.y:e.min.y,il.z=s.normal.z>0?e.max.z:e.min.z,s.distanceToPoint(il)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Mf=new It,Dl=class i{constructor(){this.coordinateSystem=gi,this._frustums=[],this._count=0}setFromArrayCamera(e){let t=e.cameras,n=this._frustums;for(let s=0;s<t.length;s++){let r=t[s];Mf.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new ks),n[s].setFromProjectionMatrix(Mf,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this._frustums,n=e._frustums;for(let s=0;s<e._count;s++)t[s]===void 0&&(t[s]=new ks),t[s].copy(n[s]);return this._count=e._count,this}clone(){return new i().copy(this)}};var Zi=class extends Ri{constructor(e){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new qe(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.linewidth=e.linewidth,this.linecap=e.linecap,this.linejoin=e.linejoin,this.fog=e.fog,this}},Nl=new X,Ul=new X,bf=new It,ko=new Jr,sl=new Bs,Qh=new X,wf=new X,jr=class extends Pn{constructor(e=new _n,t=new Zi){super(),this.isLine=!0,this.type="Line",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[0];for(let s=1,r=t.count;s<r;s++)Nl.fromBufferAttribute(t,s-1),Ul.fromBufferAttribute(t,s),n[s]=n[s-1],n[s]+=Nl.distanceTo(Ul);e.setAttribute("lineDistance",new Xt(n,1))}else $e("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.matrixWorld,r=e.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),sl.copy(n.boundingSphere),sl.applyMatrix4(s),sl.radius+=r,e.ray.intersectsSphere(sl)===!1)return;bf.copy(s).invert(),ko.copy(e.ray).applyMatrix4(bf);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),c=a*a,l=this.isLineSegments?2:1,u=n.index,d=n.attributes.position;if(u!==null){let f=Math.max(0,o.start),g=Math.min(u.count,o.start+o.count);for(let S=f,m=g-1;S<m;S+=l){let p=u.getX(S),v=u.getX(S+1),T=rl(this,e,ko,c,p,v,S);T&&t.push(T)}if(this.isLineLoop){let S=u.getX(g-1),m=u.getX(f),p=rl(this,e,ko,c,S,m,g-1);p&&t.push(p)}}else{let f=Math.max(0,o.start),g=Math.min(d.count,o.start+o.count);for(let S=f,m=g-1;S<m;S+=l){let p=rl(this,e,ko,c,S,S+1,S);p&&t.push(p)}if(this.isLineLoop){let S=rl(this,e,ko,c,g-1,f,g-1);S&&t.push(S)}}}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function rl(i,e,t,n,s,r,o){let a=i.geometry.attributes.position;if(Nl.fromBufferAttribute(a,s),Ul.fromBufferAttribute(a,r),t.distanceSqToSegment(Nl,Ul,Qh,wf)>n)return;Qh.applyMatrix4(i.matrixWorld);let l=e.ray.origin.distanceTo(Qh);if(!(l<e.near||l>e.far))return{distance:l,point:wf.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var Ef=new X,Tf=new X,Ci=class extends jr{constructor(e,t){super(e,t),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[];for(let s=0,r=t.count;s<r;s+=2)Ef.fromBufferAttribute(t,s),Tf.fromBufferAttribute(t,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+Ef.distanceTo(Tf);e.setAttribute("lineDistance",new Xt(n,1))}else $e("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var Qr=class extends Ri{constructor(e){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new qe(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.size=e.size,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},Af=new It,ou=new Jr,ol=new Bs,al=new X,Ko=class extends Pn{constructor(e=new _n,t=new Qr){super(),this.isPoints=!0,this.type="Points",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.matrixWorld,r=e.params.Points.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),ol.copy(n.boundingSphere),ol.applyMatrix4(s),ol.radius+=r,e.ray.intersectsSphere(ol)===!1)return;Af.copy(s).invert(),ou.copy(e.ray).applyMatrix4(Af);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),c=a*a,l=n.index,h=n.attributes.position;if(l!==null){let d=Math.max(0,o.start),f=Math.min(l.count,o.start+o.count);for(let g=d,S=f;g<S;g++){let m=l.getX(g);al.fromBufferAttribute(h,m),Rf(al,m,c,s,e,t,this)}}else{let d=Math.max(0,o.start),f=Math.min(h.count,o.start+o.count);for(let g=d,S=f;g<S;g++)al.fromBufferAttribute(h,g),Rf(al,g,c,s,e,t,this)}}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function Rf(i,e,t,n,s,r,o){let a=ou.distanceSqToPoint(i);if(a<t){let c=new X;ou.closestPointToPoint(i,c),c.applyMatrix4(n);let l=s.ray.origin.distanceTo(c);if(l<s.near||l>s.far)return;r.push({distance:l,distanceToRay:Math.sqrt(a),point:c,index:e,face:null,faceIndex:null,barycoord:null,object:o})}}var jo=class extends ei{constructor(e=[],t=lr,n,s,r,o,a,c,l,u){super(e,t,n,s,r,o,a,c,l,u),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}};var gs=class extends ei{constructor(e,t,n=Pi,s,r,o,a=fn,c=fn,l,u=ps,h=1){if(u!==ps&&u!==ys)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let d={width:e,height:t,depth:h};super(d,s,r,o,a,c,u,n,l),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new $r(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){let t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}},Qo=class extends gs{constructor(e,t=Pi,n=lr,s,r,o=fn,a=fn,c,l=ps){let u={width:e,height:e,depth:1},h=[u,u,u,u,u,u];super(e,e,t,n,s,r,o,a,c,l),this.image=h,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},ea=class extends ei{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},zs=class i extends _n{constructor(e=1,t=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:e,height:t,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let c=[],l=[],u=[],h=[],d=0,f=0;g("z","y","x",-1,-1,n,t,e,o,r,0),g("z","y","x",1,-1,n,t,-e,o,r,1),g("x","z","y",1,1,e,n,t,s,o,2),g("x","z","y",1,-1,e,n,-t,s,o,3),g("x","y","z",1,-1,e,t,n,s,r,4),g("x","y","z",-1,-1,e,t,-n,s,r,5),this.setIndex(c),this.setAttribute("position",new Xt(l,3)),this.setAttribute("normal",new Xt(u,3)),this.setAttribute("uv",new Xt(h,2));function g(S,m,p,v,T,M,C,A,x,E,O){let D=M/x,L=C/E,H=M/2,V=C/2,N=A/2,G=x+1,Z=E+1,z=0,le=0,J=new X;for(let j=0;j<Z;j++){let ie=j*L-V;for(let ue=0;ue<G;ue++){let he=ue*D-H;J[S]=he*v,J[m]=ie*T,J[p]=N,l.push(J.x,J.y,J.z),J[S]=0,J[m]=0,J[p]=A>0?1:-1,u.push(J.x,J.y,J.z),h.push(ue/x),h.push(1-j/E),z+=1}}for(let j=0;j<E;j++)for(let ie=0;ie<x;ie++){let ue=d+ie+G*j,he=d+ie+G*(j+1),Q=d+(ie+1)+G*(j+1),me=d+(ie+1)+G*j;c.push(ue,he,me),c.push(he,Q,me),le+=6}a.addGroup(f,le,O),f+=le,d+=z}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.width,e.height,e.depth,e.widthSegments,e.heightSegments,e.depthSegments)}};var Fl=class i extends _n{constructor(e=[],t=[],n=1,s=0){super(),this.type="PolyhedronGeometry",this.parameters={vertices:e,indices:t,radius:n,detail:s};let r=[],o=[];a(s),l(n),u(),this.setAttribute("position",new Xt(r,3)),this.setAttribute("normal",new Xt(r.slice(),3)),this.setAttribute("uv",new Xt(o,2)),s===0?this.computeVertexNormals():this.normalizeNormals();function a(v){let T=new X,M=new X,C=new X;for(let A=0;A<t.length;A+=3)f(t[A+0],T),f(t[A+1],M),f(t[A+2],C),c(T,M,C,v)}function c(v,T,M,C){let A=C+1,x=[];for(let E=0;E<=A;E++){x[E]=[];let O=v.clone().lerp(M,E/A),D=T.clone().lerp(M,E/A),L=A-E;for(let H=0;H<=L;H++)H===0&&E===A?x[E][H]=O:x[E][H]=O.clone().lerp(D,H/L)}for(let E=0;E<A;E++)for(let O=0;O<2*(A-E)-1;O++){let D=Math.floor(O/2);O%2===0?(d(x[E][D+1]),d(x[E+1][D]),d(x[E][D])):(d(x[E][D+1]),d(x[E+1][D+1]),d(x[E+1][D]))}}function l(v){let T=new X;for(let M=0;M<r.length;M+=3)T.x=r[M+0],T.y=r[M+1],T.z=r[M+2],T.normalize().multiplyScalar(v),r[M+0]=T.x,r[M+1]=T.y,r[M+2]=T.z}function u(){let v=new X;for(let T=0;T<r.length;T+=3){v.x=r[T+0],v.y=r[T+1],v.z=r[T+2];let M=m(v)/2/Math.PI+.5,C=p(v)/Math.PI+.5;o.push(M,1-C)}g(),h()}function h(){for(let v=0;v<o.length;v+=6){let T=o[v+0],M=o[v+2],C=o[v+4],A=Math.max(T,M,C),x=Math.min(T,M,C);A>.9&&x<.1&&(T<.2&&(o[v+0]+=1),M<.2&&(o[v+2]+=1),C<.2&&(o[v+4]+=1))}}function d(v){r.push(v.x,v.y,v.z)}function f(v,T){let M=v*3;T.x=e[M+0],T.y=e[M+1],T.z=e[M+2]}function g(){let v=new X,T=new X,M=new X,C=new X,A=new ut,x=new ut,E=new ut;for(let O=0,D=0;O<r.length;O+=9,D+=6){v.set(r[O+0],r[O+1],r[O+2]),T.set(r[O+3],r[O+4],r[O+5]),M.set(r[O+6],r[O+7],r[O+8]),A.set(o[D+0],o[D+1]),x.set(o[D+2],o[D+3]),E.set(o[D+4],o[D+5]),C.copy(v).add(T).add(M).divideScalar(3);let L=m(C);S(A,D+0,v,L),S(x,D+2,T,L),S(E,D+4,M,L)}}function S(v,T,M,C){C<0&&v.x===1&&(o[T]=v.x-1),M.x===0&&M.z===0&&(o[T]=C/2/Math.PI+.5)}function m(v){return Math.atan2(v.z,-v.x)}function p(v){return Math.atan2(-v.y,Math.sqrt(v.x*v.x+v.z*v.z))}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.vertices,e.indices,e.radius,e.detail)}};var ll=new X,cl=new X,eu=new X,hl=new ds,rr=class extends _n{constructor(e=null,t=1){if(super(),this.type="EdgesGeometry",this.parameters={geometry:e,thresholdAngle:t},e!==null){let s=Math.pow(10,4),r=Math.cos(gl*t),o=e.getIndex(),a=e.getAttribute("position"),c=o?o.count:a.count,l=[0,0,0],u=["a","b","c"],h=new Array(3),d=new Map,f=[];for(let g=0;g<c;g+=3){o?(l[0]=o.getX(g),l[1]=o.getX(g+1),l[2]=o.getX(g+2)):(l[0]=g,l[1]=g+1,l[2]=g+2);let{a:S,b:m,c:p}=hl;if(S.fromBufferAttribute(a,l[0]),m.fromBufferAttribute(a,l[1]),p.fromBufferAttribute(a,l[2]),hl.getNormal(eu),h[0]=`${Math.round(S.x*s)},${Math.round(S.y*s)},${Math.round(S.z*s)}`,h[1]=`${Math.round(m.x*s)},${Math.round(m.y*s)},${Math.round(m.z*s)}`,h[2]=`${Math.round(p.x*s)},${Math.round(p.y*s)},${Math.round(p.z*s)}`,!(h[0]===h[1]||h[1]===h[2]||h[2]===h[0]))for(let v=0;v<3;v++){let T=(v+1)%3,M=h[v],C=h[T],A=hl[u[v]],x=hl[u[T]],E=`${M}_${C}`,O=`${C}_${M}`,D=d.get(O);D?(eu.dot(D.normal)<=r&&(f.push(A.x,A.y,A.z),f.push(x.x,x.y,x.z)),d.set(O,null)):d.has(E)||d.set(E,{index0:l[v],index1:l[T],normal:eu.clone()})}}for(let g of d.values())if(g){let{index0:S,index1:m}=g;ll.fromBufferAttribute(a,S),cl.fromBufferAttribute(a,m),f.push(ll.x,ll.y,ll.z),f.push(cl.x,cl.y,cl.z)}this.setAttribute("position",new Xt(f,3))}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}};var ta=class i extends Fl{constructor(e=1,t=0){let n=(1+Math.sqrt(5))/2,s=[-1,n,0,1,n,0,-1,-n,0,1,-n,0,0,-1,n,0,1,n,0,-1,-n,0,1,-n,n,0,-1,n,0,1,-n,0,-1,-n,0,1],r=[0,11,5,0,5,1,0,1,7,0,7,10,0,10,11,1,5,9,5,11,4,11,10,2,10,7,6,7,1,8,3,9,4,3,4,2,3,2,6,3,6,8,3,8,9,4,9,5,2,4,11,6,2,10,8,6,7,9,8,1];super(s,r,e,t),this.type="IcosahedronGeometry",this.parameters={radius:e,detail:t}}static fromJSON(e){return new i(e.radius,e.detail)}};var na=class i extends _n{constructor(e=1,t=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:e,height:t,widthSegments:n,heightSegments:s};let r=e/2,o=t/2,a=Math.floor(n),c=Math.floor(s),l=a+1,u=c+1,h=e/a,d=t/c,f=[],g=[],S=[],m=[];for(let p=0;p<u;p++){let v=p*d-o;for(let T=0;T<l;T++){let M=T*h-r;g.push(M,-v,0),S.push(0,0,1),m.push(T/a),m.push(1-p/c)}}for(let p=0;p<c;p++)for(let v=0;v<a;v++){let T=v+l*p,M=v+l*(p+1),C=v+1+l*(p+1),A=v+1+l*p;f.push(T,M,A),f.push(M,C,A)}this.setIndex(f),this.setAttribute("position",new Xt(g,3)),this.setAttribute("normal",new Xt(S,3)),this.setAttribute("uv",new Xt(m,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.width,e.height,e.widthSegments,e.heightSegments)}};function dr(i){let e={};for(let t in i){e[t]={};for(let n in i[t]){let s=i[t][n];if(Cf(s))s.isRenderTargetTexture?($e("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),e[t][n]=null):e[t][n]=s.clone();else if(Array.isArray(s))if(Cf(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();e[t][n]=r}else e[t][n]=s.slice();else e[t][n]=s}}return e}function Bn(i){let e={};for(let t=0;t<i.length;t++){let n=dr(i[t]);for(let s in n)e[s]=n[s]}return e}function Cf(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function c_(i){let e=[];for(let t=0;t<i.length;t++)e.push(i[t].clone());return e}function Uu(i){let e=i.getRenderTarget();return e===null?i.outputColorSpace:e.isXRRenderTarget===!0?e.texture.colorSpace:gt.workingColorSpace}var Mp={clone:dr,merge:Bn},h_=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,u_=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,rn=class extends Ri{constructor(e){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=h_,this.fragmentShader=u_,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=dr(e.uniforms),this.uniformsGroups=c_(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){let t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?t.uniforms[s]={type:"t",value:o.toJSON(e).uuid}:o&&o.isColor?t.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?t.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?t.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?t.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?t.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?t.uniforms[s]={type:"m4",value:o.toArray()}:t.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(t.extensions=n),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(let n in e.uniforms){let s=e.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=t[s.value]||null;break;case"c":this.uniforms[n].value=new qe().setHex(s.value);break;case"v2":this.uniforms[n].value=new ut().fromArray(s.value);break;case"v3":this.uniforms[n].value=new X().fromArray(s.value);break;case"v4":this.uniforms[n].value=new qt().fromArray(s.value);break;case"m3":this.uniforms[n].value=new tt().fromArray(s.value);break;case"m4":this.uniforms[n].value=new It().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(let n in e.extensions)this.extensions[n]=e.extensions[n];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}},Ol=class extends rn{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}},ia=class extends Ri{constructor(e){super(),this.isMeshStandardMaterial=!0,this.type="MeshStandardMaterial",this.defines={STANDARD:""},this.color=new qe(16777215),this.roughness=1,this.metalness=0,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new qe(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=va,this.normalScale=new ut(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.roughnessMap=null,this.metalnessMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Yi,this.envMapIntensity=1,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.defines={STANDARD:""},this.color.copy(e.color),this.roughness=e.roughness,this.metalness=e.metalness,this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.emissive.copy(e.emissive),this.emissiveMap=e.emissiveMap,this.emissiveIntensity=e.emissiveIntensity,this.bumpMap=e.bumpMap,this.bumpScale=e.bumpScale,this.normalMap=e.normalMap,this.normalMapType=e.normalMapType,this.normalScale.copy(e.normalScale),this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.roughnessMap=e.roughnessMap,this.metalnessMap=e.metalnessMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.envMapIntensity=e.envMapIntensity,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.flatShading=e.flatShading,this.fog=e.fog,this}};var eo=class extends Ri{constructor(e){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new qe(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new qe(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=va,this.normalScale=new ut(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Yi,this.combine=Kl,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.emissive.copy(e.emissive),this.emissiveMap=e.emissiveMap,this.emissiveIntensity=e.emissiveIntensity,this.bumpMap=e.bumpMap,this.bumpScale=e.bumpScale,this.normalMap=e.normalMap,this.normalMapType=e.normalMapType,this.normalScale.copy(e.normalScale),this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.envMapIntensity=e.envMapIntensity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.flatShading=e.flatShading,this.fog=e.fog,this}},to=class extends Ri{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=op,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},Bl=class extends Ri{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}};function Hr(i,e){return!i||i.constructor===e?i:typeof e.BYTES_PER_ELEMENT=="number"?new e(i):Array.prototype.slice.call(i)}function ul(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var Hs=class{constructor(e,t,n,s){this.parameterPositions=e,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new t.constructor(n),this.sampleValues=t,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,n=this._cachedIndex,s=t[n],r=t[n-1];n:{e:{let o;t:{i:if(!(e<s)){for(let a=n+2;;){if(s===void 0){if(e<r)break i;return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=t[++n],e<s)break e}o=t.length;break t}if(!(e>=r)){let a=t[1];e<a&&(n=2,r=a);for(let c=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===c)break;if(s=r,r=t[--n-1],e>=r)break e}o=n,n=0;break t}break n}for(;n<o;){let a=n+o>>>1;e<t[a]?o=a:n=a+1}if(s=t[n],r=t[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,e,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=e*s;for(let o=0;o!==s;++o)t[o]=n[r+o];return t}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},kl=class extends Hs{constructor(e,t,n,s){super(e,t,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:iu,endingEnd:iu}}intervalChanged_(e,t,n){let s=this.parameterPositions,r=e-2,o=e+1,a=s[r],c=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case su:r=e,a=2*t-n;break;case ru:r=s.length-2,a=t+s[r]-s[r+1];break;default:r=e,a=n}if(c===void 0)switch(this.getSettings_().endingEnd){case su:o=e,c=2*n-t;break;case ru:o=1,c=n+s[1]-s[0];break;default:o=e-1,c=t}let l=(n-t)*.5,u=this.valueSize;this._weightPrev=l/(t-a),this._weightNext=l/(c-n),this._offsetPrev=r*u,this._offsetNext=o*u}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=e*a,l=c-a,u=this._offsetPrev,h=this._offsetNext,d=this._weightPrev,f=this._weightNext,g=(n-t)/(s-t),S=g*g,m=S*g,p=-d*m+2*d*S-d*g,v=(1+d)*m+(-1.5-2*d)*S+(-.5+d)*g+1,T=(-1-f)*m+(1.5+f)*S+.5*g,M=f*m-f*S;for(let C=0;C!==a;++C)r[C]=p*o[u+C]+v*o[l+C]+T*o[c+C]+M*o[h+C];return r}},zl=class extends Hs{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=e*a,l=c-a,u=(n-t)/(s-t),h=1-u;for(let d=0;d!==a;++d)r[d]=o[l+d]*h+o[c+d]*u;return r}},Hl=class extends Hs{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e){return this.copySampleValue_(e-1)}},Gl=class extends Hs{interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=e*a,l=c-a,u=this.inTangents,h=this.outTangents;if(!u||!h){let g=(n-t)/(s-t),S=1-g;for(let m=0;m!==a;++m)r[m]=o[l+m]*S+o[c+m]*g;return r}let d=a*2,f=e-1;for(let g=0;g!==a;++g){let S=o[l+g],m=o[c+g],p=f*d+g*2,v=h[p],T=h[p+1],M=e*d+g*2,C=u[M],A=u[M+1],x=f_(n,t,v,C,s);r[g]=bp(x,S,T,A,m)}return r}};function bp(i,e,t,n,s){let r=1-i;return r*r*r*e+3*r*r*i*t+3*r*i*i*n+i*i*i*s}function d_(i,e,t,n,s){let r=1-i;return 3*r*r*(t-e)+6*r*i*(n-t)+3*i*i*(s-n)}function f_(i,e,t,n,s){let r=(i-e)/(s-e);for(let o=0;o<8;o++){let a=bp(r,e,t,n,s)-i;if(Math.abs(a)<1e-10)break;let c=d_(r,e,t,n,s);if(Math.abs(c)<1e-10)break;r=Math.max(0,Math.min(1,r-a/c))}return r}var ai=class{constructor(e,t,n,s){if(e===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(t===void 0||t.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+e);this.name=e,this.times=Hr(t,this.TimeBufferType),this.values=Hr(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(e){let t=e.constructor,n;if(t.toJSON!==this.toJSON)n=t.toJSON(e);else{n={name:e.name,times:Hr(e.times,Array),values:Hr(e.values,Array)};let s=e.getInterpolation();s!==e.DefaultInterpolation&&(n.interpolation=s),ul(e.settings)&&(n.settings={inTangents:Hr(e.settings.inTangents,Array),outTangents:Hr(e.settings.outTangents,Array)})}return n.type=e.ValueTypeName,n}InterpolantFactoryMethodDiscrete(e){return new Hl(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new zl(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new kl(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new Gl(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case Ho:t=this.InterpolantFactoryMethodDiscrete;break;case Tl:t=this.InterpolantFactoryMethodLinear;break;case pl:t=this.InterpolantFactoryMethodSmooth;break;case nu:t=this.InterpolantFactoryMethodBezier;break}if(t===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return $e("KeyframeTrack:",n),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return Ho;case this.InterpolantFactoryMethodLinear:return Tl;case this.InterpolantFactoryMethodSmooth:return pl;case this.InterpolantFactoryMethodBezier:return nu}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let n=0,s=t.length;n!==s;++n)t[n]+=e;ul(this.settings)&&(Pf(this.settings.inTangents,e),Pf(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let n=0,s=t.length;n!==s;++n)t[n]*=e;ul(this.settings)&&(If(this.settings.inTangents,e),If(this.settings.outTangents,e))}return this}trim(e,t){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<e;)++r;for(;o!==-1&&n[o]>t;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(et("KeyframeTrack: Invalid value size in track.",this),e=!1);let n=this.times,s=this.values,r=n.length;r===0&&(et("KeyframeTrack: Track is empty.",this),e=!1);let o=null;for(let a=0;a!==r;a++){let c=n[a];if(typeof c=="number"&&isNaN(c)){et("KeyframeTrack: Time is not a valid number.",this,a,c),e=!1;break}if(o!==null&&o>c){et("KeyframeTrack: Out of order keys.",this,a,c,o),e=!1;break}o=c}if(s!==void 0&&V0(s))for(let a=0,c=s.length;a!==c;++a){let l=s[a];if(isNaN(l)){et("KeyframeTrack: Value is not a valid number.",this,a,l),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===pl,r=e.length-1,o=1;for(let a=1;a<r;++a){let c=!1,l=e[a],u=e[a+1];if(l!==u&&(a!==1||l!==e[0]))if(s)c=!0;else{let h=a*n,d=h-n,f=h+n;for(let g=0;g!==n;++g){let S=t[h+g];if(S!==t[d+g]||S!==t[f+g]){c=!0;break}}}if(c){if(a!==o){e[o]=e[a];let h=a*n,d=o*n;for(let f=0;f!==n;++f)t[d+f]=t[h+f]}++o}}if(r>0){e[o]=e[r];for(let a=r*n,c=o*n,l=0;l!==n;++l)t[c+l]=t[a+l];++o}return o!==e.length?(this.times=e.slice(0,o),this.values=t.slice(0,o*n)):(this.times=e,this.values=t),this}clone(){let e=this.times.slice(),t=this.values.slice(),n=this.constructor,s=new n(this.name,e,t);return s.createInterpolant=this.createInterpolant,ul(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function Pf(i,e){for(let t=0,n=i.length;t!==n;t+=2)i[t]+=e}function If(i,e){for(let t=0,n=i.length;t!==n;t+=2)i[t]*=e}ai.prototype.ValueTypeName="";ai.prototype.TimeBufferType=Float32Array;ai.prototype.ValueBufferType=Float32Array;ai.prototype.DefaultInterpolation=Tl;var Gs=class extends ai{constructor(e,t,n){super(e,t,n)}};Gs.prototype.ValueTypeName="bool";Gs.prototype.ValueBufferType=Array;Gs.prototype.DefaultInterpolation=Ho;Gs.prototype.InterpolantFactoryMethodLinear=void 0;Gs.prototype.InterpolantFactoryMethodSmooth=void 0;var Vl=class extends ai{constructor(e,t,n,s){super(e,t,n,s)}};Vl.prototype.ValueTypeName="color";var Wl=class extends ai{constructor(e,t,n,s){super(e,t,n,s)}};Wl.prototype.ValueTypeName="number";var Xl=class extends Hs{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,c=(n-t)/(s-t),l=e*a;for(let u=l+a;l!==u;l+=4)_i.slerpFlat(r,0,o,l-a,o,l,c);return r}},sa=class extends ai{constructor(e,t,n,s){super(e,t,n,s)}InterpolantFactoryMethodLinear(e){return new Xl(this.times,this.values,this.getValueSize(),e)}};sa.prototype.ValueTypeName="quaternion";sa.prototype.InterpolantFactoryMethodSmooth=void 0;var Vs=class extends ai{constructor(e,t,n){super(e,t,n)}};Vs.prototype.ValueTypeName="string";Vs.prototype.ValueBufferType=Array;Vs.prototype.DefaultInterpolation=Ho;Vs.prototype.InterpolantFactoryMethodLinear=void 0;Vs.prototype.InterpolantFactoryMethodSmooth=void 0;var ql=class extends ai{constructor(e,t,n,s){super(e,t,n,s)}};ql.prototype.ValueTypeName="vector";var Yl=class{constructor(e,t,n){let s=this,r=!1,o=0,a=0,c,l=[];this.onStart=void 0,this.onLoad=e,this.onProgress=t,this.onError=n,this._abortController=null,this.itemStart=function(u){a++,r===!1&&s.onStart!==void 0&&s.onStart(u,o,a),r=!0},this.itemEnd=function(u){o++,s.onProgress!==void 0&&s.onProgress(u,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(u){s.onError!==void 0&&s.onError(u)},this.resolveURL=function(u){return u=u.normalize("NFC"),c?c(u):u},this.setURLModifier=function(u){return c=u,this},this.addHandler=function(u,h){return l.push(u,h),this},this.removeHandler=function(u){let h=l.indexOf(u);return h!==-1&&l.splice(h,2),this},this.getHandler=function(u){for(let h=0,d=l.length;h<d;h+=2){let f=l[h],g=l[h+1];if(f.global&&(f.lastIndex=0),f.test(u))return g}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},wp=new Yl,$l=class{constructor(e){this.manager=e!==void 0?e:wp,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(e,t){let n=this;return new Promise(function(s,r){n.load(e,s,t,r)})}parse(){}setCrossOrigin(e){return this.crossOrigin=e,this}setWithCredentials(e){return this.withCredentials=e,this}setPath(e){return this.path=e,this}setResourcePath(e){return this.resourcePath=e,this}setRequestHeader(e){return this.requestHeader=e,this}setPriority(e){return this.priority=e,this}setCache(e){return this.cache=e,this}abort(){return this}};$l.DEFAULT_MATERIAL_NAME="__DEFAULT";var ra=class extends Pn{static registerNode(e){this.prototype._lightNode=e}constructor(e,t=1){super(),this.isLight=!0,this.type="Light",this.color=new qe(e),this.intensity=t}copy(e,t){return super.copy(e,t),this.color.copy(e.color),this.intensity=e.intensity,this}toJSON(e){let t=super.toJSON(e);return t.object.color=this.color.getHex(),t.object.intensity=this.intensity,t}},oa=class extends ra{constructor(e,t,n){super(e,n),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(Pn.DEFAULT_UP),this.updateMatrix(),this.groundColor=new qe(t)}copy(e,t){return super.copy(e,t),this.groundColor.copy(e.groundColor),this}toJSON(e){let t=super.toJSON(e);return t.object.groundColor=this.groundColor.getHex(),t}},tu=new It,Lf=new X,Df=new X,Zl=class{constructor(e){this.camera=e,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new ut(512,512),this.mapType=On,this.map=null,this.mapPass=null,this.matrix=new It,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new ks,this._frameExtents=new ut(1,1),this._viewportCount=1,this._viewports=[new qt(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(e){let t=this.camera;Lf.setFromMatrixPosition(e.matrixWorld),t.position.copy(Lf),Df.setFromMatrixPosition(e.target.matrixWorld),t.lookAt(Df),t.updateMatrixWorld(),this._updateMatrix(t,this.matrix,this._frustum)}_updateMatrix(e,t,n,s){tu.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),n.setFromProjectionMatrix(tu,e.coordinateSystem,e.reversedDepth);let r=this._frameExtents,o=s?s.z/r.x:1,a=s?s.w/r.y:1,c=s?s.x/r.x:0,l=s?s.y/r.y:0;e.coordinateSystem===qr||e.reversedDepth?t.set(.5*o,0,0,.5*o+c,0,.5*a,0,.5*a+l,0,0,1,0,0,0,0,1):t.set(.5*o,0,0,.5*o+c,0,.5*a,0,.5*a+l,0,0,.5,.5,0,0,0,1),t.multiply(tu)}getViewport(e){return this._viewports[e]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(e){return this.camera=e.camera.clone(),this.intensity=e.intensity,this.bias=e.bias,this.radius=e.radius,this.autoUpdate=e.autoUpdate,this.needsUpdate=e.needsUpdate,this.normalBias=e.normalBias,this.blurSamples=e.blurSamples,this.mapSize.copy(e.mapSize),this.mapType=e.mapType,this.biasNode=e.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let e={};return e.intensity=this.intensity,e.bias=this.bias,e.normalBias=this.normalBias,e.radius=this.radius,e.blurSamples=this.blurSamples,e.mapSize=this.mapSize.toArray(),e.mapType=this.mapType,e.camera=this.camera.toJSON(!1).object,delete e.camera.matrix,e}},dl=new X,fl=new _i,Wi=new X,aa=class extends Pn{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new It,this.projectionMatrix=new It,this.projectionMatrixInverse=new It,this.coordinateSystem=gi,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(dl,fl,Wi),Wi.x===1&&Wi.y===1&&Wi.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(dl,fl,Wi.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(dl,fl,Wi),Wi.x===1&&Wi.y===1&&Wi.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(dl,fl,Wi.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Fs=new X,Nf=new ut,Uf=new ut,Yn=class extends aa{constructor(e=50,t=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=e,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=Al*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(gl*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return Al*2*Math.atan(Math.tan(gl*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){Fs.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(Fs.x,Fs.y).multiplyScalar(-e/Fs.z),Fs.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Fs.x,Fs.y).multiplyScalar(-e/Fs.z)}getViewSize(e,t){return this.getViewBounds(e,Nf,Uf),t.subVectors(Uf,Nf)}setViewOffset(e,t,n,s,r,o){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(gl*.5*this.fov)/this.zoom,n=2*t,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let c=o.fullWidth,l=o.fullHeight;r+=o.offsetX*s/c,t-=o.offsetY*n/l,s*=o.width/c,n*=o.height/l}let a=this.filmOffset;a!==0&&(r+=e*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}};var la=class extends aa{constructor(e=-1,t=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-e,o=n+e,a=s+t,c=s-t;if(this.view!==null&&this.view.enabled){let l=(this.right-this.left)/this.view.fullWidth/this.zoom,u=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=l*this.view.offsetX,o=r+l*this.view.width,a-=u*this.view.offsetY,c=a-u*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,c,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}},au=class extends Zl{constructor(){super(new la(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},ca=class extends ra{constructor(e,t){super(e,t),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(Pn.DEFAULT_UP),this.updateMatrix(),this.target=new Pn,this.shadow=new au}dispose(){super.dispose(),this.shadow.dispose()}copy(e){return super.copy(e),this.target=e.target.clone(),this.shadow=e.shadow.clone(),this}toJSON(e){let t=super.toJSON(e);return t.object.shadow=this.shadow.toJSON(),t.object.target=this.target.uuid,t}};var Jn=class extends _n{constructor(){super(),this.isInstancedBufferGeometry=!0,this.type="InstancedBufferGeometry",this.instanceCount=1/0}copy(e){return super.copy(e),this.instanceCount=e.instanceCount,this}toJSON(){let e=super.toJSON();return e.instanceCount=this.instanceCount,e.isInstancedBufferGeometry=!0,e}};var Gr=-90,Vr=1,no=class extends Pn{constructor(e,t,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new Yn(Gr,Vr,e,t);s.layers=this.layers,this.add(s);let r=new Yn(Gr,Vr,e,t);r.layers=this.layers,this.add(r);let o=new Yn(Gr,Vr,e,t);o.layers=this.layers,this.add(o);let a=new Yn(Gr,Vr,e,t);a.layers=this.layers,this.add(a);let c=new Yn(Gr,Vr,e,t);c.layers=this.layers,this.add(c);let l=new Yn(Gr,Vr,e,t);l.layers=this.layers,this.add(l)}updateCoordinateSystem(){let e=this.coordinateSystem,t=this.children.concat(),[n,s,r,o,a,c]=t;for(let l of t)this.remove(l);if(e===gi)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),c.up.set(0,1,0),c.lookAt(0,0,-1);else if(e===qr)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),c.up.set(0,-1,0),c.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+e);for(let l of t)this.add(l),l.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,c,l,u]=this.children,h=e.getRenderTarget(),d=e.getActiveCubeFace(),f=e.getActiveMipmapLevel(),g=e.xr.enabled;e.xr.enabled=!1;let S=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let m=!1;e.isWebGLRenderer===!0?m=e.state.buffers.depth.getReversed():m=e.reversedDepthBuffer,e.setRenderTarget(n,0,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,r),e.setRenderTarget(n,1,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(n,2,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(n,3,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),e.setRenderTarget(n,4,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),n.texture.mipmapsAutoUpdate=S,e.setRenderTarget(n,5,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,u),e.setRenderTarget(h,d,f),e.xr.enabled=g,n.texture.needsPMREMUpdate=!0}},Jl=class extends Yn{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}};var Fu="\\[\\]\\.:\\/",p_=new RegExp("["+Fu+"]","g"),Ou="[^"+Fu+"]",m_="[^"+Fu.replace("\\.","")+"]",g_=/((?:WC+[\/:])*)/.source.replace("WC",Ou),__=/(WCOD+)?/.source.replace("WCOD",m_),x_=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Ou),v_=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Ou),y_=new RegExp("^"+g_+__+x_+v_+"$"),S_=["material","materials","bones","map"],lu=class{constructor(e,t,n){let s=n||Ht.parseTrackName(t);this._targetGroup=e,this._bindings=e.subscribe_(t,s)}getValue(e,t){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(e,t)}setValue(e,t){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(e,t)}bind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].bind()}unbind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].unbind()}},Ht=class i{constructor(e,t,n){this.path=t,this.parsedPath=n||i.parseTrackName(t),this.node=i.findNode(e,this.parsedPath.nodeName),this.rootNode=e,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(e,t,n){return e&&e.isAnimationObjectGroup?new i.Composite(e,t,n):new i(e,t,n)}static sanitizeNodeName(e){return e.replace(/\s/g,"_").replace(p_,"")}static parseTrackName(e){let t=y_.exec(e);if(t===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+e);let n={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);S_.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+e);return n}static findNode(e,t){if(t===void 0||t===""||t==="."||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let n=e.skeleton.getBoneByName(t);if(n!==void 0)return n}if(e.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===t||a.uuid===t)return a;let c=n(a.children);if(c)return c}return null},s=n(e.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(e,t){e[t]=this.targetObject[this.propertyName]}_getValue_array(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)e[t++]=n[s]}_getValue_arrayElement(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(e,t){this.resolvedProperty.toArray(e,t)}_setValue_direct(e,t){this.targetObject[this.propertyName]=e[t]}_setValue_direct_setNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++]}_setValue_array_setNeedsUpdate(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}_setValue_arrayElement_setNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(e,t){this.resolvedProperty.fromArray(e,t)}_setValue_fromArray_setNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(e,t){this.bind(),this.getValue(e,t)}_setValue_unbound(e,t){this.bind(),this.setValue(e,t)}bind(){let e=this.node,t=this.parsedPath,n=t.objectName,s=t.propertyName,r=t.propertyIndex;if(e||(e=i.findNode(this.rootNode,t.nodeName),this.node=e),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!e){$e("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let l=t.objectIndex;switch(n){case"materials":if(!e.material){et("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.materials){et("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}e=e.material.materials;break;case"bones":if(!e.skeleton){et("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}e=e.skeleton.bones;for(let u=0;u<e.length;u++)if(e[u].name===l){l=u;break}break;case"map":if("map"in e){e=e.map;break}if(!e.material){et("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.map){et("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}e=e.material.map;break;default:if(e[n]===void 0){et("PropertyBinding: Can not bind to objectName of node undefined.",this);return}e=e[n]}if(l!==void 0){if(e[l]===void 0){et("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,e);return}e=e[l]}}let o=e[s];if(o===void 0){let l=t.nodeName;et("PropertyBinding: Trying to update property for track: "+l+"."+s+" but it wasn't found.",e);return}let a=this.Versioning.None;this.targetObject=e,e.isMaterial===!0?a=this.Versioning.NeedsUpdate:e.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let c=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!e.geometry){et("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!e.geometry.morphAttributes){et("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}e.morphTargetDictionary[r]!==void 0&&(r=e.morphTargetDictionary[r])}c=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(c=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(c=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[c],this.setValue=this.SetterByBindingTypeAndVersioning[c][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Ht.Composite=lu;Ht.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};Ht.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};Ht.prototype.GetterByBindingType=[Ht.prototype._getValue_direct,Ht.prototype._getValue_array,Ht.prototype._getValue_arrayElement,Ht.prototype._getValue_toArray];Ht.prototype.SetterByBindingTypeAndVersioning=[[Ht.prototype._setValue_direct,Ht.prototype._setValue_direct_setNeedsUpdate,Ht.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Ht.prototype._setValue_array,Ht.prototype._setValue_array_setNeedsUpdate,Ht.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Ht.prototype._setValue_arrayElement,Ht.prototype._setValue_arrayElement_setNeedsUpdate,Ht.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Ht.prototype._setValue_fromArray,Ht.prototype._setValue_fromArray_setNeedsUpdate,Ht.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var cE=new Float32Array(1);var _s=class extends Il{constructor(e,t,n=1){super(e,t),this.isInstancedInterleavedBuffer=!0,this.meshPerAttribute=n}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}clone(e){let t=super.clone(e);return t.meshPerAttribute=this.meshPerAttribute,t}toJSON(e){let t=super.toJSON(e);return t.isInstancedInterleavedBuffer=!0,t.meshPerAttribute=this.meshPerAttribute,t}};var cu=class{static{this.prototype.isMatrix2=!0}constructor(e,t,n,s){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let n=0;n<4;n++)this.elements[n]=e[n+t];return this}set(e,t,n,s){let r=this.elements;return r[0]=e,r[2]=t,r[1]=n,r[3]=s,this}};function Bu(i,e,t,n){let s=M_(n);switch(t){case Au:return i*e;case da:return i*e/s.components*s.byteLength;case oo:return i*e/s.components*s.byteLength;case qs:return i*e*2/s.components*s.byteLength;case ao:return i*e*2/s.components*s.byteLength;case Ru:return i*e*3/s.components*s.byteLength;case Li:return i*e*4/s.components*s.byteLength;case lo:return i*e*4/s.components*s.byteLength;case fa:case pa:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*8;case ma:case ga:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case rc:case ac:return Math.max(i,16)*Math.max(e,8)/4;case sc:case oc:return Math.max(i,8)*Math.max(e,8)/2;case lc:case cc:case uc:case dc:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*8;case hc:case _a:case fc:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case pc:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case mc:return Math.floor((i+4)/5)*Math.floor((e+3)/4)*16;case gc:return Math.floor((i+4)/5)*Math.floor((e+4)/5)*16;case _c:return Math.floor((i+5)/6)*Math.floor((e+4)/5)*16;case xc:return Math.floor((i+5)/6)*Math.floor((e+5)/6)*16;case vc:return Math.floor((i+7)/8)*Math.floor((e+4)/5)*16;case yc:return Math.floor((i+7)/8)*Math.floor((e+5)/6)*16;case Sc:return Math.floor((i+7)/8)*Math.floor((e+7)/8)*16;case Mc:return Math.floor((i+9)/10)*Math.floor((e+4)/5)*16;case bc:return Math.floor((i+9)/10)*Math.floor((e+5)/6)*16;case wc:return Math.floor((i+9)/10)*Math.floor((e+7)/8)*16;case Ec:return Math.floor((i+9)/10)*Math.floor((e+9)/10)*16;case Tc:return Math.floor((i+11)/12)*Math.floor((e+9)/10)*16;case Ac:return Math.floor((i+11)/12)*Math.floor((e+11)/12)*16;case Rc:case Cc:case Pc:return Math.ceil(i/4)*Math.ceil(e/4)*16;case Ic:case Lc:return Math.ceil(i/4)*Math.ceil(e/4)*8;case xa:case Dc:return Math.ceil(i/4)*Math.ceil(e/4)*16}throw new Error(`Unable to determine texture byte length for ${t} format.`)}function M_(i){switch(i){case On:case wu:return{byteLength:1,components:1};case Xs:case ua:case Ii:return{byteLength:2,components:1};case nc:case ic:return{byteLength:2,components:4};case Pi:case tc:case li:return{byteLength:4,components:1};case Eu:case Tu:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?$e("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function qp(){let i=null,e=!1,t=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),t(r,o)}return{start:function(){e!==!0&&t!==null&&i!==null&&(n=i.requestAnimationFrame(s),e=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),e=!1},setAnimationLoop:function(r){t=r},setContext:function(r){i=r}}}function w_(i){let e=new WeakMap;function t(a,c){let l=a.array,u=a.usage,h=l.byteLength,d=i.createBuffer();i.bindBuffer(c,d),i.bufferData(c,l,u),a.onUploadCallback();let f;if(l instanceof Float32Array)f=i.FLOAT;else if(typeof Float16Array<"u"&&l instanceof Float16Array)f=i.HALF_FLOAT;else if(l instanceof Uint16Array)a.isFloat16BufferAttribute?f=i.HALF_FLOAT:f=i.UNSIGNED_SHORT;else if(l instanceof Int16Array)f=i.SHORT;else if(l instanceof Uint32Array)f=i.UNSIGNED_INT;else if(l instanceof Int32Array)f=i.INT;else if(l instanceof Int8Array)f=i.BYTE;else if(l instanceof Uint8Array)f=i.UNSIGNED_BYTE;else if(l instanceof Uint8ClampedArray)f=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+l);return{buffer:d,type:f,bytesPerElement:l.BYTES_PER_ELEMENT,version:a.version,size:h}}function n(a,c,l){let u=c.array,h=c.updateRanges;if(i.bindBuffer(l,a),h.length===0)i.bufferSubData(l,0,u);else{h.sort((f,g)=>f.start-g.start);let d=0;for(let f=1;f<h.length;f++){let g=h[d],S=h[f];S.start<=g.start+g.count+1?g.count=Math.max(g.count,S.start+S.count-g.start):(++d,h[d]=S)}h.length=d+1;for(let f=0,g=h.length;f<g;f++){let S=h[f];i.bufferSubData(l,S.start*u.BYTES_PER_ELEMENT,u,S.start,S.count)}c.clearUpdateRanges()}c.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),e.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let c=e.get(a);c&&(i.deleteBuffer(c.buffer),e.delete(a))}function o(a,c){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let u=e.get(a);(!u||u.version<a.version)&&e.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let l=e.get(a);if(l===void 0)e.set(a,t(a,c));else if(l.version<a.version){if(l.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(l.buffer,a,c),l.version=a.version}}return{get:s,remove:r,update:o}}var E_=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,T_=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,A_=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,R_=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,C_=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,P_=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,I_=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,L_=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,D_=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,N_=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,U_=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,F_=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,O_=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,B_=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,k_=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,z_=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,H_=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,G_=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,V_=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,W_=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,X_=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,q_=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,Y_=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,$_=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,Z_=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,J_=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,K_=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,j_=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,Q_=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,ex="gl_FragColor = linearToOutputTexel( gl_FragColor );",tx=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,nx=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,ix=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,sx=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,rx=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,ox=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,ax=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,lx=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,cx=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,hx=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,ux=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,dx=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,fx=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,px=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,mx=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,gx=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,_x=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,xx=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,vx=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,yx=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,Sx=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,Mx=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,bx=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,wx=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,Ex=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,Tx=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,Ax=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,Rx=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Cx=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Px=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,Ix=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,Lx=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,Dx=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,Nx=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Ux=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,Fx=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,Ox=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,Bx=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,kx=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,zx=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,Hx=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Gx=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,Vx=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,Wx=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Xx=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,qx=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,Yx=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,$x=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,Zx=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,Jx=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,Kx=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,jx=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,Qx=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,ev=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,tv=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,nv=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,iv=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,sv=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,rv=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,ov=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,av=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,lv=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,cv=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,hv=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,uv=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,dv=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,fv=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,pv=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,mv=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,gv=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,_v=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,xv=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,vv=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,yv=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Sv=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Mv=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,bv=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,wv=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,Ev=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Tv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Av=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Rv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Cv=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Pv=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,Iv=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,Lv=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,Dv=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,Nv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,Uv=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Fv=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Ov=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Bv=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,kv=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,zv=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Hv=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Gv=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,Vv=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Wv=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,Xv=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,qv=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Yv=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,$v=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,Zv=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Jv=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Kv=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,jv=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,Qv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,ey=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,ty=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,ny=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,iy=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,ct={alphahash_fragment:E_,alphahash_pars_fragment:T_,alphamap_fragment:A_,alphamap_pars_fragment:R_,alphatest_fragment:C_,alphatest_pars_fragment:P_,aomap_fragment:I_,aomap_pars_fragment:L_,batching_pars_vertex:D_,batching_vertex:N_,begin_vertex:U_,beginnormal_vertex:F_,bsdfs:O_,iridescence_fragment:B_,bumpmap_pars_fragment:k_,clipping_planes_fragment:z_,clipping_planes_pars_fragment:H_,clipping_planes_pars_vertex:G_,clipping_planes_vertex:V_,color_fragment:W_,color_pars_fragment:X_,color_pars_vertex:q_,color_vertex:Y_,common:$_,defaultnormal_vertex:Z_,displacementmap_pars_vertex:J_,displacementmap_vertex:K_,emissivemap_fragment:j_,emissivemap_pars_fragment:Q_,colorspace_fragment:ex,colorspace_pars_fragment:tx,envmap_fragment:nx,envmap_common_pars_fragment:ix,envmap_pars_fragment:sx,envmap_pars_vertex:rx,envmap_physical_pars_fragment:gx,envmap_vertex:ox,fog_vertex:ax,fog_pars_vertex:lx,fog_fragment:cx,fog_pars_fragment:hx,gradientmap_pars_fragment:ux,lightmap_pars_fragment:dx,lights_lambert_fragment:fx,lights_lambert_pars_fragment:px,lights_pars_begin:mx,lights_toon_fragment:_x,lights_toon_pars_fragment:xx,lights_phong_fragment:vx,lights_phong_pars_fragment:yx,lights_physical_fragment:Sx,lights_physical_pars_fragment:Mx,lights_fragment_begin:bx,lights_fragment_maps:wx,lights_fragment_end:Ex,lightprobes_pars_fragment:Tx,logdepthbuf_fragment:Ax,logdepthbuf_pars_fragment:Rx,logdepthbuf_pars_vertex:Cx,logdepthbuf_vertex:Px,map_fragment:Ix,map_pars_fragment:Lx,map_particle_fragment:Dx,map_particle_pars_fragment:Nx,metalnessmap_fragment:Ux,metalnessmap_pars_fragment:Fx,morphinstance_vertex:Ox,morphcolor_vertex:Bx,morphnormal_vertex:kx,morphtarget_pars_vertex:zx,morphtarget_vertex:Hx,normal_fragment_begin:Gx,normal_fragment_maps:Vx,normal_pars_fragment:Wx,normal_pars_vertex:Xx,normal_vertex:qx,normalmap_pars_fragment:Yx,clearcoat_normal_fragment_begin:$x,clearcoat_normal_fragment_maps:Zx,clearcoat_pars_fragment:Jx,iridescence_pars_fragment:Kx,opaque_fragment:jx,packing:Qx,premultiplied_alpha_fragment:ev,project_vertex:tv,dithering_fragment:nv,dithering_pars_fragment:iv,roughnessmap_fragment:sv,roughnessmap_pars_fragment:rv,shadowmap_pars_fragment:ov,shadowmap_pars_vertex:av,shadowmap_vertex:lv,shadowmask_pars_fragment:cv,skinbase_vertex:hv,skinning_pars_vertex:uv,skinning_vertex:dv,skinnormal_vertex:fv,specularmap_fragment:pv,specularmap_pars_fragment:mv,tonemapping_fragment:gv,tonemapping_pars_fragment:_v,transmission_fragment:xv,transmission_pars_fragment:vv,uv_pars_fragment:yv,uv_pars_vertex:Sv,uv_vertex:Mv,worldpos_vertex:bv,background_vert:wv,background_frag:Ev,backgroundCube_vert:Tv,backgroundCube_frag:Av,cube_vert:Rv,cube_frag:Cv,depth_vert:Pv,depth_frag:Iv,distance_vert:Lv,distance_frag:Dv,equirect_vert:Nv,equirect_frag:Uv,linedashed_vert:Fv,linedashed_frag:Ov,meshbasic_vert:Bv,meshbasic_frag:kv,meshlambert_vert:zv,meshlambert_frag:Hv,meshmatcap_vert:Gv,meshmatcap_frag:Vv,meshnormal_vert:Wv,meshnormal_frag:Xv,meshphong_vert:qv,meshphong_frag:Yv,meshphysical_vert:$v,meshphysical_frag:Zv,meshtoon_vert:Jv,meshtoon_frag:Kv,points_vert:jv,points_frag:Qv,shadow_vert:ey,shadow_frag:ty,sprite_vert:ny,sprite_frag:iy},Le={common:{diffuse:{value:new qe(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new tt},alphaMap:{value:null},alphaMapTransform:{value:new tt},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new tt}},envmap:{envMap:{value:null},envMapRotation:{value:new tt},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new tt}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new tt}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new tt},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new tt},normalScale:{value:new ut(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new tt},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new tt}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new tt}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new tt}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new qe(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new qe(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new tt},alphaTest:{value:0},uvTransform:{value:new tt}},sprite:{diffuse:{value:new qe(16777215)},opacity:{value:1},center:{value:new ut(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new tt},alphaMap:{value:null},alphaMapTransform:{value:new tt},alphaTest:{value:0}}},ji={basic:{uniforms:Bn([Le.common,Le.specularmap,Le.envmap,Le.aomap,Le.lightmap,Le.fog]),vertexShader:ct.meshbasic_vert,fragmentShader:ct.meshbasic_frag},lambert:{uniforms:Bn([Le.common,Le.specularmap,Le.envmap,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.fog,Le.lights,{emissive:{value:new qe(0)},envMapIntensity:{value:1}}]),vertexShader:ct.meshlambert_vert,fragmentShader:ct.meshlambert_frag},phong:{uniforms:Bn([Le.common,Le.specularmap,Le.envmap,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.fog,Le.lights,{emissive:{value:new qe(0)},specular:{value:new qe(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:ct.meshphong_vert,fragmentShader:ct.meshphong_frag},standard:{uniforms:Bn([Le.common,Le.envmap,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.roughnessmap,Le.metalnessmap,Le.fog,Le.lights,{emissive:{value:new qe(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:ct.meshphysical_vert,fragmentShader:ct.meshphysical_frag},toon:{uniforms:Bn([Le.common,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.gradientmap,Le.fog,Le.lights,{emissive:{value:new qe(0)}}]),vertexShader:ct.meshtoon_vert,fragmentShader:ct.meshtoon_frag},matcap:{uniforms:Bn([Le.common,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.fog,{matcap:{value:null}}]),vertexShader:ct.meshmatcap_vert,fragmentShader:ct.meshmatcap_frag},points:{uniforms:Bn([Le.points,Le.fog]),vertexShader:ct.points_vert,fragmentShader:ct.points_frag},dashed:{uniforms:Bn([Le.common,Le.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:ct.linedashed_vert,fragmentShader:ct.linedashed_frag},depth:{uniforms:Bn([Le.common,Le.displacementmap]),vertexShader:ct.depth_vert,fragmentShader:ct.depth_frag},normal:{uniforms:Bn([Le.common,Le.bumpmap,Le.normalmap,Le.displacementmap,{opacity:{value:1}}]),vertexShader:ct.meshnormal_vert,fragmentShader:ct.meshnormal_frag},sprite:{uniforms:Bn([Le.sprite,Le.fog]),vertexShader:ct.sprite_vert,fragmentShader:ct.sprite_frag},background:{uniforms:{uvTransform:{value:new tt},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:ct.background_vert,fragmentShader:ct.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new tt}},vertexShader:ct.backgroundCube_vert,fragmentShader:ct.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:ct.cube_vert,fragmentShader:ct.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:ct.equirect_vert,fragmentShader:ct.equirect_frag},distance:{uniforms:Bn([Le.common,Le.displacementmap,{referencePosition:{value:new X},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:ct.distance_vert,fragmentShader:ct.distance_frag},shadow:{uniforms:Bn([Le.lights,Le.fog,{color:{value:new qe(0)},opacity:{value:1}}]),vertexShader:ct.shadow_vert,fragmentShader:ct.shadow_frag}};ji.physical={uniforms:Bn([ji.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new tt},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new tt},clearcoatNormalScale:{value:new ut(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new tt},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new tt},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new tt},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new tt},sheen:{value:0},sheenColor:{value:new qe(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new tt},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new tt},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new tt},transmissionSamplerSize:{value:new ut},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new tt},attenuationDistance:{value:0},attenuationColor:{value:new qe(0)},specularColor:{value:new qe(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new tt},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new tt},anisotropyVector:{value:new ut},anisotropyMap:{value:null},anisotropyMapTransform:{value:new tt}}]),vertexShader:ct.meshphysical_vert,fragmentShader:ct.meshphysical_frag};var Uc={r:0,b:0,g:0},sy=new It,Yp=new tt;Yp.set(-1,0,0,0,1,0,0,0,1);function ry(i,e,t,n,s,r){let o=new qe(0),a=s===!0?0:1,c,l,u=null,h=0,d=null;function f(v){let T=v.isScene===!0?v.background:null;if(T&&T.isTexture){let M=v.backgroundBlurriness>0;T=e.get(T,M)}return T}function g(v){let T=!1,M=f(v);M===null?m(o,a):M&&M.isColor&&(m(M,1),T=!0);let C=i.xr.getEnvironmentBlendMode();C==="additive"?t.buffers.color.setClear(0,0,0,1,r):C==="alpha-blend"&&t.buffers.color.setClear(0,0,0,0,r),(i.autoClear||T)&&(t.buffers.depth.setTest(!0),t.buffers.depth.setMask(!0),t.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function S(v,T){let M=f(T);M&&M.isCubeTexture?(l===void 0&&(l=new Yt(new zs(1,1,1),new rn({name:"BackgroundCubeMaterial",uniforms:dr(ji.backgroundCube.uniforms),vertexShader:ji.backgroundCube.vertexShader,fragmentShader:ji.backgroundCube.fragmentShader,side:Kn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),l.geometry.deleteAttribute("uv"),l.onBeforeRender=function(C,A,x){this.matrixWorld.copyPosition(x.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(l)),l.material.uniforms.envMap.value=M,l.material.uniforms.backgroundBlurriness.value=T.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=T.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(sy.makeRotationFromEuler(T.backgroundRotation)).transpose(),M.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(Yp),l.material.toneMapped=gt.getTransfer(M.colorSpace)!==wt,(u!==M||h!==M.version||d!==i.toneMapping)&&(l.material.needsUpdate=!0,u=M,h=M.version,d=i.toneMapping),l.layers.enableAll(),v.unshift(l,l.geometry,l.material,0,0,null)):M&&M.isTexture&&(c===void 0&&(c=new Yt(new na(2,2),new rn({name:"BackgroundMaterial",uniforms:dr(ji.background.uniforms),vertexShader:ji.background.vertexShader,fragmentShader:ji.background.fragmentShader,side:Ws,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(c)),c.material.uniforms.t2D.value=M,c.material.uniforms.backgroundIntensity.value=T.backgroundIntensity,c.material.toneMapped=gt.getTransfer(M.colorSpace)!==wt,M.matrixAutoUpdate===!0&&M.updateMatrix(),c.material.uniforms.uvTransform.value.copy(M.matrix),(u!==M||h!==M.version||d!==i.toneMapping)&&(c.material.needsUpdate=!0,u=M,h=M.version,d=i.toneMapping),c.layers.enableAll(),v.unshift(c,c.geometry,c.material,0,0,null))}function m(v,T){v.getRGB(Uc,Uu(i)),t.buffers.color.setClear(Uc.r,Uc.g,Uc.b,T,r)}function p(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(v,T=1){o.set(v),a=T,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(v){a=v,m(o,a)},render:g,addToRenderList:S,dispose:p}}function oy(i,e){let t=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=d(null),r=s,o=!1;function a(L,H,V,N,G){let Z=!1,z=h(L,N,V,H);r!==z&&(r=z,l(r.object)),Z=f(L,N,V,G),Z&&g(L,N,V,G),G!==null&&e.update(G,i.ELEMENT_ARRAY_BUFFER),(Z||o)&&(o=!1,M(L,H,V,N),G!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,e.get(G).buffer))}function c(){return i.createVertexArray()}function l(L){return i.bindVertexArray(L)}function u(L){return i.deleteVertexArray(L)}function h(L,H,V,N){let G=N.wireframe===!0,Z=n[H.id];Z===void 0&&(Z={},n[H.id]=Z);let z=L.isInstancedMesh===!0?L.id:0,le=Z[z];le===void 0&&(le={},Z[z]=le);let J=le[V.id];J===void 0&&(J={},le[V.id]=J);let j=J[G];return j===void 0&&(j=d(c()),J[G]=j),j}function d(L){let H=[],V=[],N=[];for(let G=0;G<t;G++)H[G]=0,V[G]=0,N[G]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:H,enabledAttributes:V,attributeDivisors:N,object:L,attributes:{},index:null}}function f(L,H,V,N){let G=r.attributes,Z=H.attributes,z=0,le=V.getAttributes();for(let J in le)if(le[J].location>=0){let ie=G[J],ue=Z[J];if(ue===void 0&&(J==="instanceMatrix"&&L.instanceMatrix&&(ue=L.instanceMatrix),J==="instanceColor"&&L.instanceColor&&(ue=L.instanceColor)),ie===void 0||ie.attribute!==ue||ue&&ie.data!==ue.data)return!0;z++}return r.attributesNum!==z||r.index!==N}function g(L,H,V,N){let G={},Z=H.attributes,z=0,le=V.getAttributes();for(let J in le)if(le[J].location>=0){let ie=Z[J];ie===void 0&&(J==="instanceMatrix"&&L.instanceMatrix&&(ie=L.instanceMatrix),J==="instanceColor"&&L.instanceColor&&(ie=L.instanceColor));let ue={};ue.attribute=ie,ie&&ie.data&&(ue.data=ie.data),G[J]=ue,z++}r.attributes=G,r.attributesNum=z,r.index=N}function S(){let L=r.newAttributes;for(let H=0,V=L.length;H<V;H++)L[H]=0}function m(L){p(L,0)}function p(L,H){let V=r.newAttributes,N=r.enabledAttributes,G=r.attributeDivisors;V[L]=1,N[L]===0&&(i.enableVertexAttribArray(L),N[L]=1),G[L]!==H&&(i.vertexAttribDivisor(L,H),G[L]=H)}function v(){let L=r.newAttributes,H=r.enabledAttributes;for(let V=0,N=H.length;V<N;V++)H[V]!==L[V]&&(i.disableVertexAttribArray(V),H[V]=0)}function T(L,H,V,N,G,Z,z){z===!0?i.vertexAttribIPointer(L,H,V,G,Z):i.vertexAttribPointer(L,H,V,N,G,Z)}function M(L,H,V,N){S();let G=N.attributes,Z=V.getAttributes(),z=H.defaultAttributeValues;for(let le in Z){let J=Z[le];if(J.location>=0){let j=G[le];if(j===void 0&&(le==="instanceMatrix"&&L.instanceMatrix&&(j=L.instanceMatrix),le==="instanceColor"&&L.instanceColor&&(j=L.instanceColor)),j!==void 0){let ie=j.normalized,ue=j.itemSize,he=e.get(j);if(he===void 0)continue;let Q=he.buffer,me=he.type,xe=he.bytesPerElement,Ae=me===i.INT||me===i.UNSIGNED_INT||j.gpuType===tc;if(j.isInterleavedBufferAttribute){let Me=j.data,Ve=Me.isInterleavedBuffer===!0?Me.stride:Me.itemSize,st=j.offset;if(Me.isInstancedInterleavedBuffer||Me.isInstancedBufferAttribute){for(let He=0;He<J.locationSize;He++)p(J.location+He,Me.meshPerAttribute);L.isInstancedMesh!==!0&&N._maxInstanceCount===void 0&&(N._maxInstanceCount=Me.meshPerAttribute*Me.count)}else for(let He=0;He<J.locationSize;He++)m(J.location+He);i.bindBuffer(i.ARRAY_BUFFER,Q);for(let He=0;He<J.locationSize;He++)T(J.location+He,ue/J.locationSize,me,ie,Ve*xe,(st+ue/J.locationSize*He)*xe,Ae)}else{if(j.isInstancedBufferAttribute){for(let Me=0;Me<J.locationSize;Me++)p(J.location+Me,j.meshPerAttribute);L.isInstancedMesh!==!0&&N._maxInstanceCount===void 0&&(N._maxInstanceCount=j.meshPerAttribute*j.count)}else for(let Me=0;Me<J.locationSize;Me++)m(J.location+Me);i.bindBuffer(i.ARRAY_BUFFER,Q);for(let Me=0;Me<J.locationSize;Me++)T(J.location+Me,ue/J.locationSize,me,ie,ue*xe,ue/J.locationSize*Me*xe,Ae)}}else if(z!==void 0){let ie=z[le];if(ie!==void 0)switch(ie.length){case 2:i.vertexAttrib2fv(J.location,ie);break;case 3:i.vertexAttrib3fv(J.location,ie);break;case 4:i.vertexAttrib4fv(J.location,ie);break;default:i.vertexAttrib1fv(J.location,ie)}}}}v()}function C(){O();for(let L in n){let H=n[L];for(let V in H){let N=H[V];for(let G in N){let Z=N[G];for(let z in Z)u(Z[z].object),delete Z[z];delete N[G]}}delete n[L]}}function A(L){if(n[L.id]===void 0)return;let H=n[L.id];for(let V in H){let N=H[V];for(let G in N){let Z=N[G];for(let z in Z)u(Z[z].object),delete Z[z];delete N[G]}}delete n[L.id]}function x(L){for(let H in n){let V=n[H];for(let N in V){let G=V[N];if(G[L.id]===void 0)continue;let Z=G[L.id];for(let z in Z)u(Z[z].object),delete Z[z];delete G[L.id]}}}function E(L){for(let H in n){let V=n[H],N=L.isInstancedMesh===!0?L.id:0,G=V[N];if(G!==void 0){for(let Z in G){let z=G[Z];for(let le in z)u(z[le].object),delete z[le];delete G[Z]}delete V[N],Object.keys(V).length===0&&delete n[H]}}}function O(){D(),o=!0,r!==s&&(r=s,l(r.object))}function D(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:O,resetDefaultState:D,dispose:C,releaseStatesOfGeometry:A,releaseStatesOfObject:E,releaseStatesOfProgram:x,initAttributes:S,enableAttribute:m,disableUnusedAttributes:v}}function ay(i,e,t){let n;function s(c){n=c}function r(c,l){i.drawArrays(n,c,l),t.update(l,n,1)}function o(c,l,u){u!==0&&(i.drawArraysInstanced(n,c,l,u),t.update(l,n,u))}function a(c,l,u){if(u===0)return;e.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,c,0,l,0,u);let d=0;for(let f=0;f<u;f++)d+=l[f];t.update(d,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function ly(i,e,t,n){let s;function r(){if(s!==void 0)return s;if(e.has("EXT_texture_filter_anisotropic")===!0){let x=e.get("EXT_texture_filter_anisotropic");s=i.getParameter(x.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(x){return!(x!==Li&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(x){let E=x===Ii&&(e.has("EXT_color_buffer_half_float")||e.has("EXT_color_buffer_float"));return!(x!==On&&x!==li&&!E&&n.convert(x)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function c(x){if(x==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";x="mediump"}return x==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let l=t.precision!==void 0?t.precision:"highp",u=c(l);u!==l&&($e("WebGLRenderer:",l,"not supported, using",u,"instead."),l=u);let h=t.reversedDepthBuffer===!0&&e.has("EXT_clip_control"),d=t.logarithmicDepthBuffer===!0&&h===!1;t.reversedDepthBuffer===!0&&h===!1&&$e("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),t.logarithmicDepthBuffer===!0&&h===!0&&$e("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let f=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),g=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),S=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),p=i.getParameter(i.MAX_VERTEX_ATTRIBS),v=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),T=i.getParameter(i.MAX_VARYING_VECTORS),M=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),C=i.getParameter(i.MAX_SAMPLES),A=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:a,precision:l,logarithmicDepthBuffer:d,reversedDepthBuffer:h,maxTextures:f,maxVertexTextures:g,maxTextureSize:S,maxCubemapSize:m,maxAttributes:p,maxVertexUniforms:v,maxVaryings:T,maxFragmentUniforms:M,maxSamples:C,samples:A}}function cy(i){let e=this,t=null,n=0,s=!1,r=!1,o=new Ai,a=new tt,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(h,d){let f=h.length!==0||d||n!==0||s;return s=d,n=h.length,f},this.beginShadows=function(){r=!0,u(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(h,d){t=u(h,d,0)},this.setState=function(h,d,f){let g=h.clippingPlanes,S=h.clipIntersection,m=h.clipShadows,p=i.get(h);if(!s||g===null||g.length===0||r&&!m)r?u(null):l();else{let v=r?0:n,T=v*4,M=p.clippingState||null;c.value=M,M=u(g,d,T,f);for(let C=0;C!==T;++C)M[C]=t[C];p.clippingState=M,this.numIntersection=S?this.numPlanes:0,this.numPlanes+=v}};function l(){c.value!==t&&(c.value=t,c.needsUpdate=n>0),e.numPlanes=n,e.numIntersection=0}function u(h,d,f,g){let S=h!==null?h.length:0,m=null;if(S!==0){if(m=c.value,g!==!0||m===null){let p=f+S*4,v=d.matrixWorldInverse;a.getNormalMatrix(v),(m===null||m.length<p)&&(m=new Float32Array(p));for(let T=0,M=f;T!==S;++T,M+=4)o.copy(h[T]).applyMatrix4(v,a),o.normal.toArray(m,M),m[M+3]=o.constant}c.value=m,c.needsUpdate=!0}return e.numPlanes=S,e.numIntersection=0,m}}var Ma=class extends Zn{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},s=[n,n,n,n,n,n];this.texture=new jo(s),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new zs(5,5,5),r=new rn({name:"CubemapFromEquirect",uniforms:dr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:Kn,blending:xs});r.uniforms.tEquirect.value=t;let o=new Yt(s,r),a=t.minFilter;return t.minFilter===vs&&(t.minFilter=$n),new no(1,10,this).update(e,o),t.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(e,t=!0,n=!0,s=!0){let r=e.getRenderTarget();for(let o=0;o<6;o++)e.setRenderTarget(this,o),e.clear(t,n,s);e.setRenderTarget(r)}},Ep=256,hy=3,uy=20,$p=256,Zp=16,dy=3,fy=new X,py=new qe,Oc=class i{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new no(1,10,null),this._boxMesh=new Yt(new zs(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,s=100,r={}){let{size:o=256,position:a=fy}=r,c=this._renderer;this._setSize(o);let l=this._allocateTarget(),u=this._getSourceTarget(!0);t>0&&(u.texture.mipmapsAutoUpdate=!1);let h=c.autoClear,d=c.autoClearColor,f=c.autoClearDepth,g=c.autoClearStencil,S=e.background;c.autoClear=!0,c.autoClearColor=!0,c.autoClearDepth=!0,c.autoClearStencil=!0,S===null&&(e.background=c.getClearColor(py));let m=new no(n,s,u);return m.position.copy(a),m.update(c,e),c.autoClear=h,c.autoClearColor=d,c.autoClearDepth=f,c.autoClearStencil=g,e.background=S,t>0&&(u.texture.mipmapsAutoUpdate=!0,this._blur(l,t)),this._applyPMREM(l),l}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=Rp(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=Ap(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(Ep,xp(e))}_fromTexture(e,t){e.mapping===lr||e.mapping===ro?this._setSize(e.image.length===0?Ep:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){let e=this._cubeSize,t=Tp(e,!1,!1),n=Math.log2(e)-hy;for(let s=0;s<=n;s++)t.texture.mipmaps.push({width:e>>s,height:e>>s});return t.texture.name="PMREM",t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=Tp(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=e,r.activeMipmapLevel=t;let o=e.width>>t;e.viewport.set(0,0,o,o),r.update(this._renderer,s),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===lr||e.mapping===ro?(this._cubemapMaterial===null&&(this._cubemapMaterial=Rp()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=Ap()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(e){this._ggxMaterial===null&&(this._ggxMaterial=my(),this._integrationMaterial=gy());let t=this._cubeSize,n=e.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(t/Zp);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-dy)r.roughness.value=a,this._renderCube(e,o,this._integrationMaterial);else{let c=a>0?Math.log2(t)+.5*Math.log2(6/($p*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=c,this._renderCube(e,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=_y());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(e,0,n),s.envMap.value=e.texture,this._renderCube(r,0,n)}};function Tp(i,e,t){return new Ma(i,{minFilter:vs,generateMipmaps:e,type:Ii,colorSpace:Go,depthBuffer:t})}function ba(i,e,t){return new rn({name:i,uniforms:e,vertexShader:ct.cube_vert,fragmentShader:t,side:Kn,blending:xs,depthTest:!1,depthWrite:!1})}function my(){return ba("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${$p}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function gy(){return ba("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:Zp}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function _y(){return ba("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${uy}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function Ap(){return ba("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function Rp(){return ba("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function xy(i){let e=new WeakMap,t=new WeakMap,n=null;function s(d,f=!1){return d==null?null:f?o(d):r(d)}function r(d){if(d&&d.isTexture){let f=d.mapping;if(f===jl||f===Ql)if(e.has(d)){let g=e.get(d).texture;return a(g,d.mapping)}else{let g=d.image;if(g&&g.height>0){let S=new Ma(g.height);return S.fromEquirectangularTexture(i,d),e.set(d,S),d.addEventListener("dispose",l),a(S.texture,d.mapping)}else return null}}return d}function o(d){if(d&&d.isTexture&&d.isPMREMTexture!==!0){let f=d.mapping,g=f===jl||f===Ql,S=f===lr||f===ro;if(g||S){let m=t.get(d),p=m!==void 0?m.texture.pmremVersion:0;if(d.isRenderTargetTexture&&d.pmremVersion!==p)return n===null&&(n=new Oc(i)),m=g?n.fromEquirectangular(d,m):n.fromCubemap(d,m),m.texture.pmremVersion=d.pmremVersion,t.set(d,m),m.texture;if(m!==void 0)return m.texture;{let v=d.image;return g&&v&&v.height>0||S&&v&&c(v)?(n===null&&(n=new Oc(i)),m=g?n.fromEquirectangular(d):n.fromCubemap(d),m.texture.pmremVersion=d.pmremVersion,t.set(d,m),d.addEventListener("dispose",u),m.texture):null}}}return d}function a(d,f){return f===jl?d.mapping=lr:f===Ql&&(d.mapping=ro),d}function c(d){let f=0,g=6;for(let S=0;S<g;S++)d[S]!==void 0&&f++;return f===g}function l(d){let f=d.target;f.removeEventListener("dispose",l);let g=e.get(f);g!==void 0&&(e.delete(f),g.dispose())}function u(d){let f=d.target;f.removeEventListener("dispose",u);let g=t.get(f);g!==void 0&&(t.delete(f),g.dispose())}function h(){e=new WeakMap,t=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:h}}function vy(i){let e={};function t(n){if(e[n]!==void 0)return e[n];let s=i.getExtension(n);return e[n]=s,s}return{has:function(n){return t(n)!==null},init:function(){t("EXT_color_buffer_float"),t("WEBGL_clip_cull_distance"),t("OES_texture_float_linear"),t("EXT_color_buffer_half_float"),t("WEBGL_multisampled_render_to_texture"),t("WEBGL_render_shared_exponent")},get:function(n){let s=t(n);return s===null&&zo("WebGLRenderer: "+n+" extension not supported."),s}}}function yy(i,e,t,n){let s={},r=new WeakMap,o=new FinalizationRegistry(g=>delete s[g]);function a(g){c(g.target)}function c(g){g.index!==null&&e.remove(g.index);for(let m in g.attributes)e.remove(g.attributes[m]);g.removeEventListener("dispose",a),delete s[g.id],o.unregister(g);let S=r.get(g);S&&(e.remove(S),r.delete(g)),n.releaseStatesOfGeometry(g),g.isInstancedBufferGeometry===!0&&delete g._maxInstanceCount,t.memory.geometries--}function l(g,S){return s[S.id]!==void 0||(S.addEventListener("dispose",a),s[S.id]=new WeakRef(S),o.register(S,S.id,S),t.memory.geometries++),S}function u(g){let S=g.attributes;for(let m in S)e.update(S[m],i.ARRAY_BUFFER)}function h(g){let S=g.index,m=g.attributes.position,p=0;if(m===void 0)return;let v=S!==null?S.array.length:m.array.length/3-1,T=m.count>=65535?Jo:Zo,M=new T(Math.ceil(v/3)*6,1),C=M.array;if(S!==null){let x=S.array;p=S.version;for(let E=0,O=0;E<v;E+=3){let D=x[E+0],L=x[E+1],H=x[E+2];C[O++]=D,C[O++]=L,C[O++]=L,C[O++]=H,C[O++]=H,C[O++]=D}}else{p=m.version;for(let x=0,E=0;x<v;x+=3){let O=x+0,D=x+1,L=x+2;C[E++]=O,C[E++]=D,C[E++]=D,C[E++]=L,C[E++]=L,C[E++]=O}}M.version=p;let A=r.get(g);A&&e.remove(A),r.set(g,M)}function d(g){let S=r.get(g);if(S){let m=g.index;m!==null&&S.version<m.version&&h(g)}else h(g);return r.get(g)}function f(){for(let g in s){let S=s[g].deref();S!==void 0&&c(S)}}return{get:l,update:u,getWireframeAttribute:d,dispose:f}}function Sy(i,e,t){let n;function s(h){n=h}let r,o;function a(h){r=h.type,o=h.bytesPerElement}function c(h,d){i.drawElements(n,d,r,h*o),t.update(d,n,1)}function l(h,d,f){f!==0&&(i.drawElementsInstanced(n,d,r,h*o,f),t.update(d,n,f))}function u(h,d,f){if(f===0)return;e.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,d,0,r,h,0,f);let S=0;for(let m=0;m<f;m++)S+=d[m];t.update(S,n,1)}this.setMode=s,this.setIndex=a,this.render=c,this.renderInstances=l,this.renderMultiDraw=u}function My(i){let e={geometries:0,textures:0},t={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(t.calls++,o){case i.TRIANGLES:t.triangles+=a*(r/3);break;case i.LINES:t.lines+=a*(r/2);break;case i.LINE_STRIP:t.lines+=a*(r-1);break;case i.LINE_LOOP:t.lines+=a*r;break;case i.POINTS:t.points+=a*r;break;default:et("WebGLInfo: Unknown draw mode:",o);break}}function s(){t.calls=0,t.triangles=0,t.points=0,t.lines=0}return{memory:e,render:t,programs:null,autoReset:!0,reset:s,update:n}}function by(i,e,t){let n=new WeakMap,s=new qt;function r(o,a,c){let l=o.morphTargetInfluences,u=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,h=u!==void 0?u.length:0,d=n.get(a);if(d===void 0||d.count!==h){let O=function(){x.dispose(),n.delete(a),a.removeEventListener("dispose",O)};d!==void 0&&d.texture.dispose();let f=a.morphAttributes.position!==void 0,g=a.morphAttributes.normal!==void 0,S=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],p=a.morphAttributes.normal||[],v=a.morphAttributes.color||[],T=0;f===!0&&(T=1),g===!0&&(T=2),S===!0&&(T=3);let M=a.attributes.position.count*T,C=1;M>e.maxTextureSize&&(C=Math.ceil(M/e.maxTextureSize),M=e.maxTextureSize);let A=new Float32Array(M*C*4*h),x=new qo(A,M,C,h);x.type=li,x.needsUpdate=!0;let E=T*4;for(let D=0;D<h;D++){let L=m[D],H=p[D],V=v[D],N=M*C*4*D;for(let G=0;G<L.count;G++){let Z=G*E;f===!0&&(s.fromBufferAttribute(L,G),A[N+Z+0]=s.x,A[N+Z+1]=s.y,A[N+Z+2]=s.z,A[N+Z+3]=0),g===!0&&(s.fromBufferAttribute(H,G),A[N+Z+4]=s.x,A[N+Z+5]=s.y,A[N+Z+6]=s.z,A[N+Z+7]=0),S===!0&&(s.fromBufferAttribute(V,G),A[N+Z+8]=s.x,A[N+Z+9]=s.y,A[N+Z+10]=s.z,A[N+Z+11]=V.itemSize===4?s.w:1)}}d={count:h,texture:x,size:new ut(M,C)},n.set(a,d),a.addEventListener("dispose",O)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)c.getUniforms().setValue(i,"morphTexture",o.morphTexture,t);else{let f=0;for(let S=0;S<l.length;S++)f+=l[S];let g=a.morphTargetsRelative?1:1-f;c.getUniforms().setValue(i,"morphTargetBaseInfluence",g),c.getUniforms().setValue(i,"morphTargetInfluences",l)}c.getUniforms().setValue(i,"morphTargetsTexture",d.texture,t),c.getUniforms().setValue(i,"morphTargetsTextureSize",d.size)}return{update:r}}function wy(i,e,t,n,s){let r=new WeakMap;function o(l){let u=s.render.frame,h=l.geometry,d=e.get(l,h);if(r.get(d)!==u&&(e.update(d),r.set(d,u)),l.isInstancedMesh&&(l.hasEventListener("dispose",c)===!1&&l.addEventListener("dispose",c),r.get(l)!==u&&(t.update(l.instanceMatrix,i.ARRAY_BUFFER),l.instanceColor!==null&&t.update(l.instanceColor,i.ARRAY_BUFFER),r.set(l,u))),l.isSkinnedMesh){let f=l.skeleton;r.get(f)!==u&&(f.update(),r.set(f,u))}return d}function a(){r=new WeakMap}function c(l){let u=l.target;u.removeEventListener("dispose",c),n.releaseStatesOfObject(u),t.remove(u.instanceMatrix),u.instanceColor!==null&&t.remove(u.instanceColor)}return{update:o,dispose:a}}var Ey={[gu]:"LINEAR_TONE_MAPPING",[_u]:"REINHARD_TONE_MAPPING",[xu]:"CINEON_TONE_MAPPING",[vu]:"ACES_FILMIC_TONE_MAPPING",[Su]:"AGX_TONE_MAPPING",[Mu]:"NEUTRAL_TONE_MAPPING",[yu]:"CUSTOM_TONE_MAPPING"};function Ty(i,e,t,n,s,r){let o=new Zn(e,t,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,c=null,l=null,u=new _n;u.setAttribute("position",new Xt([-1,3,0,-1,-1,0,3,-1,0],3)),u.setAttribute("uv",new Xt([0,2,0,0,2,0],2));let h=new Ol({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),d=new Yt(u,h),f=new la(-1,1,1,-1,0,1),g=null,S=null,m=!1,p,v=null,T=[],M=!1;this.setSize=function(C,A){o.setSize(C,A),a!==null&&a.setSize(C,A),c!==null&&c.setSize(C,A);for(let x=0;x<T.length;x++){let E=T[x];E.setSize&&E.setSize(C,A)}},this.setEffects=function(C){T=C,M=T.length>0&&T[0].isRenderPass===!0;let A=o.width,x=o.height;T.length>0&&a===null&&(a=new Zn(A,x,{type:Ii,depthBuffer:!1,stencilBuffer:!1}),c=new Zn(A,x,{type:Ii,depthBuffer:!1,stencilBuffer:!1}));let E=s===!0&&T.some(O=>O.needsDepthTexture===!0);E!==(o.depthTexture!==null)&&(E===!0&&l===null&&(l=new gs(A,x),r===!0&&(l.format=ys,l.type=cr)),o.dispose(),o.depthTexture=E?l:null,o.resolveDepthBuffer=E,o.storeMultisampledDepthBuffer=E);for(let O=0;O<T.length;O++){let D=T[O];D.setSize&&D.setSize(A,x),E&&D.needsDepthTexture===!0&&D.setDepthTexture&&D.setDepthTexture(l)}},this.begin=function(C,A){if(m||C.toneMapping===Ji&&T.length===0)return!1;if(v=A,A!==null){let x=A.width,E=A.height;(o.width!==x||o.height!==E)&&this.setSize(x,E)}return M===!1&&C.setRenderTarget(o),p=C.toneMapping,C.toneMapping=Ji,!0},this.hasRenderPass=function(){return M},this.end=function(C,A){C.toneMapping=p,m=!0;let x=o,E=a;for(let O=0;O<T.length;O++){let D=T[O];D.enabled!==!1&&(D.render(C,E,x,A),D.needsSwap!==!1&&(x=E,E=E===a?c:a))}if(g!==C.outputColorSpace||S!==C.toneMapping){g=C.outputColorSpace,S=C.toneMapping,h.defines={},gt.getTransfer(g)===wt&&(h.defines.SRGB_TRANSFER="");let O=Ey[S];O&&(h.defines[O]=""),h.needsUpdate=!0}h.uniforms.tDiffuse.value=x.texture,C.setRenderTarget(v),C.render(d,f),v=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),c!==null&&c.dispose(),u.dispose(),h.dispose()}}var Jp=new ei,Kp=new gs(1,1),jp=new Qo(1),Qp=new qo,em=new Pl,tm=new jo,Cp=[],Pp=[],Ip=new Float32Array(16),Lp=new Float32Array(9),Dp=new Float32Array(4);function ho(i,e,t){let n=i[0];if(n<=0||n>0)return i;let s=e*t,r=Cp[s];if(r===void 0&&(r=new Float32Array(s),Cp[s]=r),e!==0){n.toArray(r,0);for(let o=1,a=0;o!==e;++o)a+=t,i[o].toArray(r,a)}return r}function xn(i,e){if(i.length!==e.length)return!1;for(let t=0,n=i.length;t<n;t++)if(i[t]!==e[t])return!1;return!0}function vn(i,e){for(let t=0,n=e.length;t<n;t++)i[t]=e[t]}function kc(i,e){let t=Pp[e];t===void 0&&(t=new Int32Array(e),Pp[e]=t);for(let n=0;n!==e;++n)t[n]=i.allocateTextureUnit();return t}function Ay(i,e){let t=this.cache;t[0]!==e&&(i.uniform1f(this.addr,e),t[0]=e)}function Ry(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2f(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(xn(t,e))return;i.uniform2fv(this.addr,e),vn(t,e)}}function Cy(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3f(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else if(e.r!==void 0)(t[0]!==e.r||t[1]!==e.g||t[2]!==e.b)&&(i.uniform3f(this.addr,e.r,e.g,e.b),t[0]=e.r,t[1]=e.g,t[2]=e.b);else{if(xn(t,e))return;i.uniform3fv(this.addr,e),vn(t,e)}}function Py(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4f(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(xn(t,e))return;i.uniform4fv(this.addr,e),vn(t,e)}}function Iy(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(xn(t,e))return;i.uniformMatrix2fv(this.addr,!1,e),vn(t,e)}else{if(xn(t,n))return;Dp.set(n),i.uniformMatrix2fv(this.addr,!1,Dp),vn(t,n)}}function Ly(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(xn(t,e))return;i.uniformMatrix3fv(this.addr,!1,e),vn(t,e)}else{if(xn(t,n))return;Lp.set(n),i.uniformMatrix3fv(this.addr,!1,Lp),vn(t,n)}}function Dy(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(xn(t,e))return;i.uniformMatrix4fv(this.addr,!1,e),vn(t,e)}else{if(xn(t,n))return;Ip.set(n),i.uniformMatrix4fv(this.addr,!1,Ip),vn(t,n)}}function Ny(i,e){let t=this.cache;t[0]!==e&&(i.uniform1i(this.addr,e),t[0]=e)}function Uy(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2i(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(xn(t,e))return;i.uniform2iv(this.addr,e),vn(t,e)}}function Fy(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3i(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(xn(t,e))return;i.uniform3iv(this.addr,e),vn(t,e)}}function Oy(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4i(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(xn(t,e))return;i.uniform4iv(this.addr,e),vn(t,e)}}function By(i,e){let t=this.cache;t[0]!==e&&(i.uniform1ui(this.addr,e),t[0]=e)}function ky(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2ui(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(xn(t,e))return;i.uniform2uiv(this.addr,e),vn(t,e)}}function zy(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3ui(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(xn(t,e))return;i.uniform3uiv(this.addr,e),vn(t,e)}}function Hy(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4ui(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(xn(t,e))return;i.uniform4uiv(this.addr,e),vn(t,e)}}function zc(i){return i.version===0&&(i.compareFunction=Lu,i.needsUpdate=!0),i}function Gy(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=zc(Kp):r=Jp,t.setTexture2D(e||r,s)}function Vy(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),t.setTexture3D(e||em,s)}function Wy(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=zc(jp):r=tm,t.setTextureCube(e||r,s)}function Xy(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),t.setTexture2DArray(e||Qp,s)}function qy(i){switch(i){case 5126:return Ay;case 35664:return Ry;case 35665:return Cy;case 35666:return Py;case 35674:return Iy;case 35675:return Ly;case 35676:return Dy;case 5124:case 35670:return Ny;case 35667:case 35671:return Uy;case 35668:case 35672:return Fy;case 35669:case 35673:return Oy;case 5125:return By;case 36294:return ky;case 36295:return zy;case 36296:return Hy;case 35678:case 36198:case 36298:case 36306:case 35682:return Gy;case 35679:case 36299:case 36307:return Vy;case 35680:case 36300:case 36308:case 36293:return Wy;case 36289:case 36303:case 36311:case 36292:return Xy}}function Yy(i,e){i.uniform1fv(this.addr,e)}function $y(i,e){let t=ho(e,this.size,2);i.uniform2fv(this.addr,t)}function Zy(i,e){let t=ho(e,this.size,3);i.uniform3fv(this.addr,t)}function Jy(i,e){let t=ho(e,this.size,4);i.uniform4fv(this.addr,t)}function Ky(i,e){let t=ho(e,this.size,4);i.uniformMatrix2fv(this.addr,!1,t)}function jy(i,e){let t=ho(e,this.size,9);i.uniformMatrix3fv(this.addr,!1,t)}function Qy(i,e){let t=ho(e,this.size,16);i.uniformMatrix4fv(this.addr,!1,t)}function eS(i,e){i.uniform1iv(this.addr,e)}function tS(i,e){i.uniform2iv(this.addr,e)}function nS(i,e){i.uniform3iv(this.addr,e)}function iS(i,e){i.uniform4iv(this.addr,e)}function sS(i,e){i.uniform1uiv(this.addr,e)}function rS(i,e){i.uniform2uiv(this.addr,e)}function oS(i,e){i.uniform3uiv(this.addr,e)}function aS(i,e){i.uniform4uiv(this.addr,e)}function lS(i,e,t){let n=this.cache,s=e.length,r=kc(t,s);xn(n,r)||(i.uniform1iv(this.addr,r),vn(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=zc(Kp):o=Jp;for(let a=0;a!==s;++a)t.setTexture2D(e[a]||o,r[a])}function cS(i,e,t){let n=this.cache,s=e.length,r=kc(t,s);xn(n,r)||(i.uniform1iv(this.addr,r),vn(n,r));for(let o=0;o!==s;++o)t.setTexture3D(e[o]||em,r[o])}function hS(i,e,t){let n=this.cache,s=e.length,r=kc(t,s);xn(n,r)||(i.uniform1iv(this.addr,r),vn(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=zc(jp):o=tm;for(let a=0;a!==s;++a)t.setTextureCube(e[a]||o,r[a])}function uS(i,e,t){let n=this.cache,s=e.length,r=kc(t,s);xn(n,r)||(i.uniform1iv(this.addr,r),vn(n,r));for(let o=0;o!==s;++o)t.setTexture2DArray(e[o]||Qp,r[o])}function dS(i){switch(i){case 5126:return Yy;case 35664:return $y;case 35665:return Zy;case 35666:return Jy;case 35674:return Ky;case 35675:return jy;case 35676:return Qy;case 5124:case 35670:return eS;case 35667:case 35671:return tS;case 35668:case 35672:return nS;case 35669:case 35673:return iS;case 5125:return sS;case 36294:return rS;case 36295:return oS;case 36296:return aS;case 35678:case 36198:case 36298:case 36306:case 35682:return lS;case 35679:case 36299:case 36307:return cS;case 35680:case 36300:case 36308:case 36293:return hS;case 36289:case 36303:case 36311:case 36292:return uS}}var Hu=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=qy(t.type)}},Gu=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=dS(t.type)}},Vu=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(e,t[a.id],n)}}},ku=/(\w+)(\])?(\[|\.)?/g;function Np(i,e){i.seq.push(e),i.map[e.id]=e}function fS(i,e,t){let n=i.name,s=n.length;for(ku.lastIndex=0;;){let r=ku.exec(n),o=ku.lastIndex,a=r[1],c=r[2]==="]",l=r[3];if(c&&(a=a|0),l===void 0||l==="["&&o+2===s){Np(t,l===void 0?new Hu(a,i,e):new Gu(a,i,e));break}else{let h=t.map[a];h===void 0&&(h=new Vu(a),Np(t,h)),t=h}}}var co=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=e.getActiveUniform(t,o),c=e.getUniformLocation(t,a.name);fS(a,c,this)}let s=[],r=[];for(let o of this.seq)o.type===e.SAMPLER_2D_SHADOW||o.type===e.SAMPLER_CUBE_SHADOW||o.type===e.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(e,t,n,s){let r=this.map[t];r!==void 0&&r.setValue(e,n,s)}setOptional(e,t,n){let s=t[n];s!==void 0&&this.setValue(e,n,s)}static upload(e,t,n,s){for(let r=0,o=t.length;r!==o;++r){let a=t[r],c=n[a.id];c.needsUpdate!==!1&&a.setValue(e,c.value,s)}}static seqWithValue(e,t){let n=[];for(let s=0,r=e.length;s!==r;++s){let o=e[s];o.id in t&&n.push(o)}return n}};function Up(i,e,t){let n=i.createShader(e);return i.shaderSource(n,t),i.compileShader(n),n}var pS=37297,mS=0;function gS(i,e){let t=i.split(`
`),n=[],s=Math.max(e-6,0),r=Math.min(e+6,t.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===e?">":" "} ${a}: ${t[o]}`)}return n.join(`
`)}var Fp=new tt;function _S(i){gt._getMatrix(Fp,gt.workingColorSpace,i);let e=`mat3( ${Fp.elements.map(t=>t.toFixed(4))} )`;switch(gt.getTransfer(i)){case Vo:return[e,"LinearTransferOETF"];case wt:return[e,"sRGBTransferOETF"];default:return $e("WebGLProgram: Unsupported color space: ",i),[e,"LinearTransferOETF"]}}function Op(i,e,t){let n=i.getShaderParameter(e,i.COMPILE_STATUS),r=(i.getShaderInfoLog(e)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return t.toUpperCase()+`

`+r+`

`+gS(i.getShaderSource(e),a)}else return r}function xS(i,e){let t=_S(e);return[`vec4 ${i}( vec4 value ) {`,`	return ${t[1]}( vec4( ${t[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var vS={[gu]:"Linear",[_u]:"Reinhard",[xu]:"Cineon",[vu]:"ACESFilmic",[Su]:"AgX",[Mu]:"Neutral",[yu]:"Custom"};function yS(i,e){let t=vS[e];return t===void 0?($e("WebGLProgram: Unsupported toneMapping:",e),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+t+"ToneMapping( color ); }"}var Fc=new X;function SS(){gt.getLuminanceCoefficients(Fc);let i=Fc.x.toFixed(4),e=Fc.y.toFixed(4),t=Fc.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${e}, ${t} );`,"	return dot( weights, rgb );","}"].join(`
`)}function MS(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(Sa).join(`
`)}function bS(i){let e=[];for(let t in i){let n=i[t];n!==!1&&e.push("#define "+t+" "+n)}return e.join(`
`)}function wS(i,e){let t={},n=i.getProgramParameter(e,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(e,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),t[o]={type:r.type,location:i.getAttribLocation(e,o),locationSize:a}}return t}function Sa(i){return i!==""}function Bp(i,e){let t=e.numSpotLightShadows+e.numSpotLightMaps-e.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,e.numSunLights).replace(/NUM_DIR_LIGHTS/g,e.numDirLights).replace(/NUM_SPOT_LIGHTS/g,e.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,e.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,t).replace(/NUM_RECT_AREA_LIGHTS/g,e.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,e.numPointLights).replace(/NUM_HEMI_LIGHTS/g,e.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,e.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,e.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,e.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,e.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,e.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,e.numLightProbeGrids)}function kp(i,e){return i.replace(/NUM_CLIPPING_PLANES/g,e.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,e.numClippingPlanes-e.numClipIntersection)}var ES=/^[ \t]*#include +<([\w\d./]+)>/gm;function Wu(i){return i.replace(ES,TS)}function TS(i,e){let t=ct[e];if(t===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+e+">");return Wu(t)}var AS=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function zp(i){return i.replace(AS,RS)}function RS(i,e,t,n){let s="";for(let r=parseInt(e);r<parseInt(t);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function Hp(i){let e=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?e+=`
#define HIGH_PRECISION`:i.precision==="mediump"?e+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(e+=`
#define LOW_PRECISION`),e}var CS={[or]:"SHADOWMAP_TYPE_PCF",[io]:"SHADOWMAP_TYPE_VSM"};function PS(i){return CS[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var IS={[ro]:"ENVMAP_MODE_REFRACTION"};function LS(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":IS[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var DS={[Kl]:"ENVMAP_BLENDING_MULTIPLY",[ip]:"ENVMAP_BLENDING_MIX",[sp]:"ENVMAP_BLENDING_ADD"};function NS(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":DS[i.combine]||"ENVMAP_BLENDING_NONE"}function US(i,e,t,n){let s=i.getContext(),r=t.defines,o=t.vertexShader,a=t.fragmentShader,c=PS(t),l=t.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",u=LS(t),h=NS(t),d=MS(t),f=bS(r),g=s.createProgram(),S,m,p=t.glslVersion?"#version "+t.glslVersion+`
`:"";t.isRawShaderMaterial?(S=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(Sa).join(`
`),S.length>0&&(S+=`
`),m=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(Sa).join(`
`),m.length>0&&(m+=`
`)):(S=[Hp(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",t.batching?"#define USE_BATCHING":"",t.batchingColor?"#define USE_BATCHING_COLOR":"",t.instancing?"#define USE_INSTANCING":"",t.instancingColor?"#define USE_INSTANCING_COLOR":"",t.instancingMorph?"#define USE_INSTANCING_MORPH":"",t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.map?"#define USE_MAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+u:"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.displacementMap?"#define USE_DISPLACEMENTMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.mapUv?"#define MAP_UV "+t.mapUv:"",t.alphaMapUv?"#define ALPHAMAP_UV "+t.alphaMapUv:"",t.lightMapUv?"#define LIGHTMAP_UV "+t.lightMapUv:"",t.aoMapUv?"#define AOMAP_UV "+t.aoMapUv:"",t.emissiveMapUv?"#define EMISSIVEMAP_UV "+t.emissiveMapUv:"",t.bumpMapUv?"#define BUMPMAP_UV "+t.bumpMapUv:"",t.normalMapUv?"#define NORMALMAP_UV "+t.normalMapUv:"",t.displacementMapUv?"#define DISPLACEMENTMAP_UV "+t.displacementMapUv:"",t.metalnessMapUv?"#define METALNESSMAP_UV "+t.metalnessMapUv:"",t.roughnessMapUv?"#define ROUGHNESSMAP_UV "+t.roughnessMapUv:"",t.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+t.anisotropyMapUv:"",t.clearcoatMapUv?"#define CLEARCOATMAP_UV "+t.clearcoatMapUv:"",t.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+t.clearcoatNormalMapUv:"",t.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+t.clearcoatRoughnessMapUv:"",t.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+t.diffuseRoughnessMapUv:"",t.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+t.iridescenceMapUv:"",t.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+t.iridescenceThicknessMapUv:"",t.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+t.sheenColorMapUv:"",t.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+t.sheenRoughnessMapUv:"",t.specularMapUv?"#define SPECULARMAP_UV "+t.specularMapUv:"",t.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+t.specularColorMapUv:"",t.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+t.specularIntensityMapUv:"",t.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+t.transmissionMapUv:"",t.thicknessMapUv?"#define THICKNESSMAP_UV "+t.thicknessMapUv:"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexNormals?"#define HAS_NORMAL":"",t.vertexColors?"#define USE_COLOR":"",t.vertexAlphas?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.flatShading?"#define FLAT_SHADED":"",t.skinning?"#define USE_SKINNING":"",t.morphTargets?"#define USE_MORPHTARGETS":"",t.morphNormals&&t.flatShading===!1?"#define USE_MORPHNORMALS":"",t.morphColors?"#define USE_MORPHCOLORS":"",t.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+t.morphTextureStride:"",t.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+t.morphTargetsCount:"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+c:"",t.sizeAttenuation?"#define USE_SIZEATTENUATION":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(Sa).join(`
`),m=[Hp(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",t.map?"#define USE_MAP":"",t.matcap?"#define USE_MATCAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+l:"",t.envMap?"#define "+u:"",t.envMap?"#define "+h:"",t.envMapPMREM?"#define ENVMAP_MAX_LOD "+t.envMapMaxLod+".0":"",t.envMapPMREM?"#define ENVMAP_SIZE "+t.envMapSize+".0":"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoat?"#define USE_CLEARCOAT":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.dispersion?"#define USE_DISPERSION":"",t.retroreflection?"#define USE_RETROREFLECTION":"",t.iridescence?"#define USE_IRIDESCENCE":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaTest?"#define USE_ALPHATEST":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.sheen?"#define USE_SHEEN":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexColors||t.instancingColor?"#define USE_COLOR":"",t.vertexAlphas||t.batchingColor?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.gradientMap?"#define USE_GRADIENTMAP":"",t.flatShading?"#define FLAT_SHADED":"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+c:"",t.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",t.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",t.toneMapping!==Ji?"#define TONE_MAPPING":"",t.toneMapping!==Ji?ct.tonemapping_pars_fragment:"",t.toneMapping!==Ji?yS("toneMapping",t.toneMapping):"",t.dithering?"#define DITHERING":"",t.opaque?"#define OPAQUE":"",ct.colorspace_pars_fragment,xS("linearToOutputTexel",t.outputColorSpace),SS(),t.useDepthPacking?"#define DEPTH_PACKING "+t.depthPacking:"",`
`].filter(Sa).join(`
`)),o=Wu(o),o=Bp(o,t),o=kp(o,t),a=Wu(a),a=Bp(a,t),a=kp(a,t),o=zp(o),a=zp(a),t.isRawShaderMaterial!==!0&&(p=`#version 300 es
`,S=[d,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+S,m=["#define varying in",t.glslVersion===Nu?"":"layout(location = 0) out highp vec4 pc_fragColor;",t.glslVersion===Nu?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let v=p+S+o,T=p+m+a,M=Up(s,s.VERTEX_SHADER,v),C=Up(s,s.FRAGMENT_SHADER,T);s.attachShader(g,M),s.attachShader(g,C),t.index0AttributeName!==void 0?s.bindAttribLocation(g,0,t.index0AttributeName):t.hasPositionAttribute===!0&&s.bindAttribLocation(g,0,"position"),s.linkProgram(g);function A(D){if(i.debug.checkShaderErrors){let L=s.getProgramInfoLog(g)||"",H=s.getShaderInfoLog(M)||"",V=s.getShaderInfoLog(C)||"",N=L.trim(),G=H.trim(),Z=V.trim(),z=!0,le=!0;if(s.getProgramParameter(g,s.LINK_STATUS)===!1)if(z=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,g,M,C);else{let J=Op(s,M,"vertex"),j=Op(s,C,"fragment");et("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(g,s.VALIDATE_STATUS)+`

Material Name: `+D.name+`
Material Type: `+D.type+`

Program Info Log: `+N+`
`+J+`
`+j)}else N!==""?$e("WebGLProgram: Program Info Log:",N):(G===""||Z==="")&&(le=!1);le&&(D.diagnostics={runnable:z,programLog:N,vertexShader:{log:G,prefix:S},fragmentShader:{log:Z,prefix:m}})}s.deleteShader(M),s.deleteShader(C),x=new co(s,g),E=wS(s,g)}let x;this.getUniforms=function(){return x===void 0&&A(this),x};let E;this.getAttributes=function(){return E===void 0&&A(this),E};let O=t.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return O===!1&&(O=s.getProgramParameter(g,pS)),O},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(g),this.program=void 0},this.type=t.shaderType,this.name=t.shaderName,this.id=mS++,this.cacheKey=e,this.usedTimes=1,this.program=g,this.vertexShader=M,this.fragmentShader=C,this}var FS=0,Xu=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let s=this._getShaderCacheForMaterial(e);return s.has(t)===!1&&(s.add(t),t.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let n of t)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new qu(e),t.set(e,n)),n}},qu=class{constructor(e){this.id=FS++,this.code=e,this.usedTimes=0}};function OS(i){return i===qs||i===_a||i===xa}function BS(i,e,t,n,s,r){let o=new Yo,a=new Xu,c=new Set,l=[],u=new Map,h=n.logarithmicDepthBuffer,d={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function f(x){return c.add(x),x===0?"uv":`uv${x}`}function g(x,E,O,D,L,H){let V=D.fog,N=L.geometry,G=x.isMeshStandardMaterial||x.isMeshLambertMaterial||x.isMeshPhongMaterial?D.environment:null,Z=x.isMeshStandardMaterial||x.isMeshLambertMaterial&&!x.envMap||x.isMeshPhongMaterial&&!x.envMap,z=e.get(x.envMap||G,Z),le=d[x.type],J=n.precision;x.precision!==null&&(J=n.getMaxPrecision(x.precision),J!==x.precision&&$e("WebGLProgram.getParameters:",x.precision,"not supported, using",J,"instead."));let j=N.morphAttributes.position||N.morphAttributes.normal||N.morphAttributes.color,ie=j!==void 0?j.length:0,ue=0;N.morphAttributes.position!==void 0&&(ue=1),N.morphAttributes.normal!==void 0&&(ue=2),N.morphAttributes.color!==void 0&&(ue=3);let he,Q,me,xe;if(le){let Re=ji[le];he=Re.vertexShader,Q=Re.fragmentShader}else{he=x.vertexShader,Q=x.fragmentShader;let Re=a.getVertexShaderStage(x),ot=a.getFragmentShaderStage(x);a.update(x,Re,ot),me=Re.id,xe=ot.id}let Ae=i.getRenderTarget(),Me=i.state.buffers.depth.getReversed(),Ve=L.isInstancedMesh===!0,st=L.isBatchedMesh===!0,He=!!x.map,ht=!!x.matcap,at=!!z,nt=at&&z.isPMREMTexture===!0,Vt=!!x.aoMap,Ut=!!x.lightMap,on=!!x.bumpMap&&x.wireframe===!1,Ct=!!x.normalMap,bn=!!x.displacementMap,vt=!!x.emissiveMap,mn=!!x.metalnessMap,Jt=!!x.roughnessMap,an=x.anisotropy>0,F=x.clearcoat>0,Ce=x.diffuseRoughness>0,Ye=x.dispersion>0,rt=x.retroreflectivity>0,be=x.iridescence>0,Lt=x.sheen>0,ze=x.transmission>0,Xe=an&&!!x.anisotropyMap,R=F&&!!x.clearcoatMap,y=F&&!!x.clearcoatNormalMap,W=F&&!!x.clearcoatRoughnessMap,ce=Ce&&!!x.diffuseRoughnessMap,re=be&&!!x.iridescenceMap,_e=be&&!!x.iridescenceThicknessMap,ve=Lt&&!!x.sheenColorMap,ee=Lt&&!!x.sheenRoughnessMap,ne=!!x.specularMap,fe=!!x.specularColorMap,U=!!x.specularIntensityMap,se=ze&&!!x.transmissionMap,te=ze&&!!x.thicknessMap,we=!!x.gradientMap,ge=!!x.alphaMap,Se=x.alphaTest>0,Ge=!!x.alphaHash,Ke=!!x.extensions,ae=Ji;x.toneMapped&&(Ae===null||Ae.isXRRenderTarget===!0)&&(ae=i.toneMapping);let Oe=nt?z.isCompressedCubeTexture?z.image[0].mipmaps:z.mipmaps:null,je={shaderID:le,shaderType:x.type,shaderName:x.name,vertexShader:he,fragmentShader:Q,defines:x.defines,customVertexShaderID:me,customFragmentShaderID:xe,isRawShaderMaterial:x.isRawShaderMaterial===!0,glslVersion:x.glslVersion,precision:J,batching:st,batchingColor:st&&L._colorsTexture!==null,instancing:Ve,instancingColor:Ve&&L.instanceColor!==null,instancingMorph:Ve&&L.morphTexture!==null,outputColorSpace:Ae===null?i.outputColorSpace:Ae.isXRRenderTarget===!0?Ae.texture.colorSpace:gt.workingColorSpace,alphaToCoverage:!!x.alphaToCoverage,map:He,matcap:ht,envMap:at,envMapMode:at&&z.mapping,envMapPMREM:nt,envMapMaxLod:nt?Oe.length-1:null,envMapSize:nt?Oe[0].width:null,aoMap:Vt,lightMap:Ut,bumpMap:on,normalMap:Ct,displacementMap:bn,emissiveMap:vt,normalMapObjectSpace:Ct&&x.normalMapType===ap,normalMapTangentSpace:Ct&&x.normalMapType===va,packedNormalMap:Ct&&x.normalMapType===va&&OS(x.normalMap.format),metalnessMap:mn,roughnessMap:Jt,anisotropy:an,anisotropyMap:Xe,clearcoat:F,clearcoatMap:R,clearcoatNormalMap:y,clearcoatRoughnessMap:W,diffuseRoughness:Ce,diffuseRoughnessMap:ce,dispersion:Ye,retroreflection:rt,iridescence:be,iridescenceMap:re,iridescenceThicknessMap:_e,sheen:Lt,sheenColorMap:ve,sheenRoughnessMap:ee,specularMap:ne,specularColorMap:fe,specularIntensityMap:U,transmission:ze,transmissionMap:se,thicknessMap:te,gradientMap:we,opaque:x.transparent===!1&&x.blending===so&&x.alphaToCoverage===!1,alphaMap:ge,alphaTest:Se,alphaHash:Ge,combine:x.combine,mapUv:He&&f(x.map.channel),aoMapUv:Vt&&f(x.aoMap.channel),lightMapUv:Ut&&f(x.lightMap.channel),bumpMapUv:on&&f(x.bumpMap.channel),normalMapUv:Ct&&f(x.normalMap.channel),displacementMapUv:bn&&f(x.displacementMap.channel),emissiveMapUv:vt&&f(x.emissiveMap.channel),metalnessMapUv:mn&&f(x.metalnessMap.channel),roughnessMapUv:Jt&&f(x.roughnessMap.channel),anisotropyMapUv:Xe&&f(x.anisotropyMap.channel),clearcoatMapUv:R&&f(x.clearcoatMap.channel),clearcoatNormalMapUv:y&&f(x.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:W&&f(x.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:ce&&f(x.diffuseRoughnessMap.channel),iridescenceMapUv:re&&f(x.iridescenceMap.channel),iridescenceThicknessMapUv:_e&&f(x.iridescenceThicknessMap.channel),sheenColorMapUv:ve&&f(x.sheenColorMap.channel),sheenRoughnessMapUv:ee&&f(x.sheenRoughnessMap.channel),specularMapUv:ne&&f(x.specularMap.channel),specularColorMapUv:fe&&f(x.specularColorMap.channel),specularIntensityMapUv:U&&f(x.specularIntensityMap.channel),transmissionMapUv:se&&f(x.transmissionMap.channel),thicknessMapUv:te&&f(x.thicknessMap.channel),alphaMapUv:ge&&f(x.alphaMap.channel),vertexTangents:!!N.attributes.tangent&&(Ct||an),vertexNormals:!!N.attributes.normal,vertexColors:x.vertexColors,vertexAlphas:x.vertexColors===!0&&!!N.attributes.color&&N.attributes.color.itemSize===4,pointsUvs:L.isPoints===!0&&!!N.attributes.uv&&(He||ge),fog:!!V,useFog:x.fog===!0,fogExp2:!!V&&V.isFogExp2,flatShading:x.wireframe===!1&&(x.flatShading===!0||N.attributes.normal===void 0&&Ct===!1&&(x.isMeshLambertMaterial||x.isMeshPhongMaterial||x.isMeshStandardMaterial||x.isMeshPhysicalMaterial)),sizeAttenuation:x.sizeAttenuation===!0,logarithmicDepthBuffer:h,reversedDepthBuffer:Me,skinning:L.isSkinnedMesh===!0,hasPositionAttribute:N.attributes.position!==void 0,morphTargets:N.morphAttributes.position!==void 0,morphNormals:N.morphAttributes.normal!==void 0,morphColors:N.morphAttributes.color!==void 0,morphTargetsCount:ie,morphTextureStride:ue,numSunLights:E.sun.length,numDirLights:E.directional.length,numPointLights:E.point.length,numSpotLights:E.spot.length,numSpotLightMaps:E.spotLightMap.length,numRectAreaLights:E.rectArea.length,numHemiLights:E.hemi.length,numSunLightShadows:E.sunShadowMap.length,numDirLightShadows:E.directionalShadowMap.length,numPointLightShadows:E.pointShadowMap.length,numSpotLightShadows:E.spotShadowMap.length,numSpotLightShadowsWithMaps:E.numSpotLightShadowsWithMaps,numLightProbes:E.numLightProbes,numLightProbeGrids:H.filter(Re=>Re.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:x.dithering,shadowMapEnabled:i.shadowMap.enabled&&O.length>0,shadowMapType:i.shadowMap.type,toneMapping:ae,decodeVideoTexture:He&&x.map.isVideoTexture===!0&&gt.getTransfer(x.map.colorSpace)===wt,decodeVideoTextureEmissive:vt&&x.emissiveMap.isVideoTexture===!0&&gt.getTransfer(x.emissiveMap.colorSpace)===wt,premultipliedAlpha:x.premultipliedAlpha,doubleSided:x.side===In,flipSided:x.side===Kn,useDepthPacking:x.depthPacking>=0,depthPacking:x.depthPacking||0,index0AttributeName:x.index0AttributeName,extensionClipCullDistance:Ke&&x.extensions.clipCullDistance===!0&&t.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Ke&&x.extensions.multiDraw===!0||st)&&t.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:t.has("KHR_parallel_shader_compile"),customProgramCacheKey:x.customProgramCacheKey()};return je.vertexUv1s=c.has(1),je.vertexUv2s=c.has(2),je.vertexUv3s=c.has(3),c.clear(),je}function S(x){let E=[];if(x.shaderID?E.push(x.shaderID):(E.push(x.customVertexShaderID),E.push(x.customFragmentShaderID)),x.defines!==void 0)for(let O in x.defines)E.push(O),E.push(x.defines[O]);return x.isRawShaderMaterial===!1&&(m(E,x),p(E,x),E.push(i.outputColorSpace)),E.push(x.customProgramCacheKey),E.join()}function m(x,E){x.push(E.precision),x.push(E.outputColorSpace),x.push(E.envMapMode),x.push(E.envMapPMREM),x.push(E.envMapMaxLod),x.push(E.envMapSize),x.push(E.mapUv),x.push(E.alphaMapUv),x.push(E.lightMapUv),x.push(E.aoMapUv),x.push(E.bumpMapUv),x.push(E.normalMapUv),x.push(E.displacementMapUv),x.push(E.emissiveMapUv),x.push(E.metalnessMapUv),x.push(E.roughnessMapUv),x.push(E.anisotropyMapUv),x.push(E.clearcoatMapUv),x.push(E.clearcoatNormalMapUv),x.push(E.clearcoatRoughnessMapUv),x.push(E.diffuseRoughnessMapUv),x.push(E.iridescenceMapUv),x.push(E.iridescenceThicknessMapUv),x.push(E.sheenColorMapUv),x.push(E.sheenRoughnessMapUv),x.push(E.specularMapUv),x.push(E.specularColorMapUv),x.push(E.specularIntensityMapUv),x.push(E.transmissionMapUv),x.push(E.thicknessMapUv),x.push(E.combine),x.push(E.fogExp2),x.push(E.sizeAttenuation),x.push(E.morphTargetsCount),x.push(E.numSunLights),x.push(E.numDirLights),x.push(E.numPointLights),x.push(E.numSpotLights),x.push(E.numSpotLightMaps),x.push(E.numHemiLights),x.push(E.numRectAreaLights),x.push(E.numSunLightShadows),x.push(E.numDirLightShadows),x.push(E.numPointLightShadows),x.push(E.numSpotLightShadows),x.push(E.numSpotLightShadowsWithMaps),x.push(E.numLightProbes),x.push(E.numLightProbeGrids),x.push(E.shadowMapType),x.push(E.toneMapping),x.push(E.numClippingPlanes),x.push(E.numClipIntersection),x.push(E.depthPacking)}function p(x,E){o.disableAll(),E.instancing&&o.enable(0),E.instancingColor&&o.enable(1),E.instancingMorph&&o.enable(2),E.matcap&&o.enable(3),E.envMap&&o.enable(4),E.normalMapObjectSpace&&o.enable(5),E.normalMapTangentSpace&&o.enable(6),E.clearcoat&&o.enable(7),E.iridescence&&o.enable(8),E.alphaTest&&o.enable(9),E.vertexColors&&o.enable(10),E.vertexAlphas&&o.enable(11),E.vertexUv1s&&o.enable(12),E.vertexUv2s&&o.enable(13),E.vertexUv3s&&o.enable(14),E.vertexTangents&&o.enable(15),E.anisotropy&&o.enable(16),E.alphaHash&&o.enable(17),E.batching&&o.enable(18),E.dispersion&&o.enable(19),E.retroreflection&&o.enable(24),E.diffuseRoughness&&o.enable(25),E.batchingColor&&o.enable(20),E.gradientMap&&o.enable(21),E.packedNormalMap&&o.enable(22),E.vertexNormals&&o.enable(23),x.push(o.mask),o.disableAll(),E.fog&&o.enable(0),E.useFog&&o.enable(1),E.flatShading&&o.enable(2),E.logarithmicDepthBuffer&&o.enable(3),E.reversedDepthBuffer&&o.enable(4),E.skinning&&o.enable(5),E.morphTargets&&o.enable(6),E.morphNormals&&o.enable(7),E.morphColors&&o.enable(8),E.premultipliedAlpha&&o.enable(9),E.shadowMapEnabled&&o.enable(10),E.doubleSided&&o.enable(11),E.flipSided&&o.enable(12),E.useDepthPacking&&o.enable(13),E.dithering&&o.enable(14),E.transmission&&o.enable(15),E.sheen&&o.enable(16),E.opaque&&o.enable(17),E.pointsUvs&&o.enable(18),E.decodeVideoTexture&&o.enable(19),E.decodeVideoTextureEmissive&&o.enable(20),E.alphaToCoverage&&o.enable(21),E.numLightProbeGrids>0&&o.enable(22),E.hasPositionAttribute&&o.enable(23),x.push(o.mask)}function v(x){let E=d[x.type],O;if(E){let D=ji[E];O=Mp.clone(D.uniforms)}else O=x.uniforms;return O}function T(x,E){let O=u.get(E);return O!==void 0?++O.usedTimes:(O=new US(i,E,x,s),l.push(O),u.set(E,O)),O}function M(x){if(--x.usedTimes===0){let E=l.indexOf(x);l[E]=l[l.length-1],l.pop(),u.delete(x.cacheKey),x.destroy()}}function C(x){a.remove(x)}function A(){a.dispose()}return{getParameters:g,getProgramCacheKey:S,getUniforms:v,acquireProgram:T,releaseProgram:M,releaseShaderCache:C,programs:l,dispose:A}}function kS(){let i=new WeakMap;function e(o){return i.has(o)}function t(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,c){i.get(o)[a]=c}function r(){i=new WeakMap}return{has:e,get:t,remove:n,update:s,dispose:r}}function zS(i,e){return i.groupOrder!==e.groupOrder?i.groupOrder-e.groupOrder:i.renderOrder!==e.renderOrder?i.renderOrder-e.renderOrder:i.material.id!==e.material.id?i.material.id-e.material.id:i.materialVariant!==e.materialVariant?i.materialVariant-e.materialVariant:i.z!==e.z?i.z-e.z:i.id-e.id}function Gp(i,e){return i.groupOrder!==e.groupOrder?i.groupOrder-e.groupOrder:i.renderOrder!==e.renderOrder?i.renderOrder-e.renderOrder:i.z!==e.z?e.z-i.z:i.id-e.id}function Vp(){let i=[],e=0,t=[],n=[],s=[];function r(){e=0,t.length=0,n.length=0,s.length=0}function o(d){let f=0;return d.isInstancedMesh&&(f+=2),d.isSkinnedMesh&&(f+=1),f}function a(d,f,g,S,m,p){let v=i[e];return v===void 0?(v={id:d.id,object:d,geometry:f,material:g,materialVariant:o(d),groupOrder:S,renderOrder:d.renderOrder,z:m,group:p},i[e]=v):(v.id=d.id,v.object=d,v.geometry=f,v.material=g,v.materialVariant=o(d),v.groupOrder=S,v.renderOrder=d.renderOrder,v.z=m,v.group=p),e++,v}function c(d,f,g,S,m,p,v){v.reversedDepth===!0&&(m=-m);let T=a(d,f,g,S,m,p);g.transmission>0?n.push(T):g.transparent===!0?s.push(T):t.push(T)}function l(d,f,g,S,m,p){let v=a(d,f,g,S,m,p);g.transmission>0?n.unshift(v):g.transparent===!0?s.unshift(v):t.unshift(v)}function u(d,f){t.length>1&&t.sort(d||zS),n.length>1&&n.sort(f||Gp),s.length>1&&s.sort(f||Gp)}function h(){for(let d=e,f=i.length;d<f;d++){let g=i[d];if(g.id===null)break;g.id=null,g.object=null,g.geometry=null,g.material=null,g.group=null}}return{opaque:t,transmissive:n,transparent:s,init:r,push:c,unshift:l,finish:h,sort:u}}function HS(){let i=new WeakMap;function e(n,s){let r=i.get(n),o;return r===void 0?(o=new Vp,i.set(n,[o])):s>=r.length?(o=new Vp,r.push(o)):o=r[s],o}function t(){i=new WeakMap}return{get:e,dispose:t}}function GS(){let i={};return{get:function(e){if(i[e.id]!==void 0)return i[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={direction:new X,color:new qe};break;case"SpotLight":t={position:new X,direction:new X,color:new qe,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":t={position:new X,color:new qe,distance:0,decay:0};break;case"HemisphereLight":t={direction:new X,skyColor:new qe,groundColor:new qe};break;case"RectAreaLight":t={color:new qe,position:new X,halfWidth:new X,halfHeight:new X};break}return i[e.id]=t,t}}}function VS(){let i={};return{get:function(e){if(i[e.id]!==void 0)return i[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ut};break;case"SpotLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ut};break;case"PointLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ut,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[e.id]=t,t}}}var WS=0;function XS(i,e){return(e.castShadow?2:0)-(i.castShadow?2:0)+(e.map?1:0)-(i.map?1:0)}function qS(i){let e=new GS,t=VS(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let l=0;l<9;l++)n.probe.push(new X);let s=new X,r=new It,o=new It;function a(l){let u=0,h=0,d=0;for(let H=0;H<9;H++)n.probe[H].set(0,0,0);let f=0,g=0,S=0,m=0,p=0,v=0,T=0,M=0,C=0,A=0,x=0,E=0,O=0,D=0;l.sort(XS);for(let H=0,V=l.length;H<V;H++){let N=l[H],G=N.color,Z=N.intensity,z=N.distance,le=null;if(N.shadow&&N.shadow.map&&(N.shadow.map.texture.format===qs?le=N.shadow.map.texture:le=N.shadow.map.depthTexture||N.shadow.map.texture),N.isAmbientLight)u+=G.r*Z,h+=G.g*Z,d+=G.b*Z;else if(N.isLightProbe){for(let J=0;J<9;J++)n.probe[J].addScaledVector(N.sh.coefficients[J],Z);D++}else if(N.isSunLight){let J=e.get(N);if(J.color.copy(N.color).multiplyScalar(N.intensity),N.castShadow){let j=N.shadow,ie=t.get(N);ie.shadowIntensity=j.intensity,ie.shadowBias=j.bias,ie.shadowNormalBias=j.normalBias,ie.shadowRadius=j.radius,ie.shadowMapSize.copy(j.mapSize).multiply(j.getFrameExtents()),n.sunShadow[g]=ie,n.sunShadowMap[g]=le;let ue=j.getViewportCount();for(let he=0;he<ue;he++)n.sunShadowMatrix[S+he]=j.getMatrix(he),n.sunShadowCascade[S+he]=j._cascadeData[he];S+=ue,g++}n.sun[f]=J,f++}else if(N.isDirectionalLight){let J=e.get(N);if(J.color.copy(N.color).multiplyScalar(N.intensity),N.castShadow){let j=N.shadow,ie=t.get(N);ie.shadowIntensity=j.intensity,ie.shadowBias=j.bias,ie.shadowNormalBias=j.normalBias,ie.shadowRadius=j.radius,ie.shadowMapSize=j.mapSize,n.directionalShadow[m]=ie,n.directionalShadowMap[m]=le,n.directionalShadowMatrix[m]=N.shadow.matrix,C++}n.directional[m]=J,m++}else if(N.isSpotLight){let J=e.get(N);J.position.setFromMatrixPosition(N.matrixWorld),J.color.copy(G).multiplyScalar(Z),J.distance=z,J.coneCos=Math.cos(N.angle),J.penumbraCos=Math.cos(N.angle*(1-N.penumbra)),J.decay=N.decay,n.spot[v]=J;let j=N.shadow;if(N.map&&(n.spotLightMap[E]=N.map,E++,j.updateMatrices(N),N.castShadow&&O++),n.spotLightMatrix[v]=j.matrix,N.castShadow){let ie=t.get(N);ie.shadowIntensity=j.intensity,ie.shadowBias=j.bias,ie.shadowNormalBias=j.normalBias,ie.shadowRadius=j.radius,ie.shadowMapSize=j.mapSize,n.spotShadow[v]=ie,n.spotShadowMap[v]=le,x++}v++}else if(N.isRectAreaLight){let J=e.get(N);J.color.copy(G).multiplyScalar(Z),J.halfWidth.set(N.width*.5,0,0),J.halfHeight.set(0,N.height*.5,0),n.rectArea[T]=J,T++}else if(N.isPointLight){let J=e.get(N);if(J.color.copy(N.color).multiplyScalar(N.intensity),J.distance=N.distance,J.decay=N.decay,N.castShadow){let j=N.shadow,ie=t.get(N);ie.shadowIntensity=j.intensity,ie.shadowBias=j.bias,ie.shadowNormalBias=j.normalBias,ie.shadowRadius=j.radius,ie.shadowMapSize=j.mapSize,ie.shadowCameraNear=j.camera.near,ie.shadowCameraFar=j.camera.far,n.pointShadow[p]=ie,n.pointShadowMap[p]=le,n.pointShadowMatrix[p]=N.shadow.matrix,A++}n.point[p]=J,p++}else if(N.isHemisphereLight){let J=e.get(N);J.skyColor.copy(N.color).multiplyScalar(Z),J.groundColor.copy(N.groundColor).multiplyScalar(Z),n.hemi[M]=J,M++}}T>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Le.LTC_FLOAT_1,n.rectAreaLTC2=Le.LTC_FLOAT_2):(n.rectAreaLTC1=Le.LTC_HALF_1,n.rectAreaLTC2=Le.LTC_HALF_2)),n.ambient[0]=u,n.ambient[1]=h,n.ambient[2]=d;let L=n.hash;(L.sunLength!==f||L.directionalLength!==m||L.pointLength!==p||L.spotLength!==v||L.rectAreaLength!==T||L.hemiLength!==M||L.numSunShadows!==g||L.numDirectionalShadows!==C||L.numPointShadows!==A||L.numSpotShadows!==x||L.numSpotMaps!==E||L.numLightProbes!==D)&&(n.sun.length=f,n.directional.length=m,n.spot.length=v,n.rectArea.length=T,n.point.length=p,n.hemi.length=M,n.sunShadow.length=g,n.sunShadowMap.length=g,n.sunShadowMatrix.length=S,n.sunShadowCascade.length=S,n.directionalShadow.length=C,n.directionalShadowMap.length=C,n.directionalShadowMatrix.length=C,n.pointShadow.length=A,n.pointShadowMap.length=A,n.pointShadowMatrix.length=A,n.spotShadow.length=x,n.spotShadowMap.length=x,n.spotLightMatrix.length=x+E-O,n.spotLightMap.length=E,n.numSpotLightShadowsWithMaps=O,n.numLightProbes=D,L.sunLength=f,L.directionalLength=m,L.pointLength=p,L.spotLength=v,L.rectAreaLength=T,L.hemiLength=M,L.numSunShadows=g,L.numDirectionalShadows=C,L.numPointShadows=A,L.numSpotShadows=x,L.numSpotMaps=E,L.numLightProbes=D,n.version=WS++)}function c(l,u){let h=0,d=0,f=0,g=0,S=0,m=0,p=u.matrixWorldInverse;for(let v=0,T=l.length;v<T;v++){let M=l[v];if(M.isSunLight){let C=n.sun[h];C.direction.setFromMatrixPosition(M.matrixWorld),C.direction.transformDirection(p),h++}else if(M.isDirectionalLight){let C=n.directional[d];C.direction.setFromMatrixPosition(M.matrixWorld),s.setFromMatrixPosition(M.target.matrixWorld),C.direction.sub(s),C.direction.transformDirection(p),d++}else if(M.isSpotLight){let C=n.spot[g];C.position.setFromMatrixPosition(M.matrixWorld),C.position.applyMatrix4(p),C.direction.setFromMatrixPosition(M.matrixWorld),s.setFromMatrixPosition(M.target.matrixWorld),C.direction.sub(s),C.direction.transformDirection(p),g++}else if(M.isRectAreaLight){let C=n.rectArea[S];C.position.setFromMatrixPosition(M.matrixWorld),C.position.applyMatrix4(p),o.identity(),r.copy(M.matrixWorld),r.premultiply(p),o.extractRotation(r),C.halfWidth.set(M.width*.5,0,0),C.halfHeight.set(0,M.height*.5,0),C.halfWidth.applyMatrix4(o),C.halfHeight.applyMatrix4(o),S++}else if(M.isPointLight){let C=n.point[f];C.position.setFromMatrixPosition(M.matrixWorld),C.position.applyMatrix4(p),f++}else if(M.isHemisphereLight){let C=n.hemi[m];C.direction.setFromMatrixPosition(M.matrixWorld),C.direction.transformDirection(p),m++}}}return{setup:a,setupView:c,state:n}}function Wp(i){let e=new qS(i),t=[],n=[],s=[];function r(h){u.camera=h,t.length=0,n.length=0,s.length=0}function o(h){h.isLightProbeGrid?s.push(h):t.push(h)}function a(h){n.push(h)}function c(){e.setup(t),s.sort((h,d)=>h.priority-d.priority||h.id-d.id)}function l(h){e.setupView(t,h)}let u={lightsArray:t,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:e,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:u,setupLights:c,setupLightsView:l,pushLight:o,pushShadow:a}}function YS(i){let e=new WeakMap;function t(s,r=0){let o=e.get(s),a;return o===void 0?(a=new Wp(i),e.set(s,[a])):r>=o.length?(a=new Wp(i),o.push(a)):a=o[r],a}function n(){e=new WeakMap}return{get:t,dispose:n}}var $S=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,ZS=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,JS=[new X(1,0,0),new X(-1,0,0),new X(0,1,0),new X(0,-1,0),new X(0,0,1),new X(0,0,-1)],KS=[new X(0,-1,0),new X(0,-1,0),new X(0,0,1),new X(0,0,-1),new X(0,-1,0),new X(0,-1,0)],Xp=new It,ya=new X,zu=new X;function jS(i,e,t){let n=new ks,s=new ut,r=new ut,o=new qt,a=new to,c=new Bl,l={},u=t.maxTextureSize,h={[Ws]:Kn,[Kn]:Ws,[In]:In},d=new rn({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new ut},radius:{value:4}},vertexShader:$S,fragmentShader:ZS}),f=d.clone();f.defines.HORIZONTAL_PASS=1;let g=new _n;g.setAttribute("position",new Ft(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let S=new Yt(g,d),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=or;let p=this.type;this.render=function(A,x,E){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||A.length===0)return;this.type===Bf&&($e("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=or);let O=i.getRenderTarget(),D=i.getActiveCubeFace(),L=i.getActiveMipmapLevel(),H=i.state;H.setBlending(xs),H.buffers.depth.getReversed()===!0?H.buffers.color.setClear(0,0,0,0):H.buffers.color.setClear(1,1,1,1),H.buffers.depth.setTest(!0),H.setScissorTest(!1);let V=p!==this.type;V&&x.traverse(function(N){N.material&&(Array.isArray(N.material)?N.material.forEach(G=>G.needsUpdate=!0):N.material.needsUpdate=!0)});for(let N=0,G=A.length;N<G;N++){let Z=A[N],z=Z.shadow;if(z===void 0){$e("WebGLShadowMap:",Z,"has no shadow.");continue}if(z.autoUpdate===!1&&z.needsUpdate===!1)continue;s.copy(z.mapSize);let le=z.getFrameExtents();s.multiply(le),r.copy(z.mapSize),(s.x>u||s.y>u)&&(s.x>u&&(r.x=Math.floor(u/le.x),s.x=r.x*le.x,z.mapSize.x=r.x),s.y>u&&(r.y=Math.floor(u/le.y),s.y=r.y*le.y,z.mapSize.y=r.y));let J=i.state.buffers.depth.getReversed();if(z.camera._reversedDepth=J,z.map===null||V===!0){if(z.map!==null&&(z.map.depthTexture!==null&&(z.map.depthTexture.dispose(),z.map.depthTexture=null),z.map.dispose()),this.type===io){if(Z.isPointLight){$e("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}z.map=new Zn(s.x,s.y,{format:qs,type:Ii,minFilter:$n,magFilter:$n,generateMipmaps:!1}),z.map.texture.name=Z.name+".shadowMap",z.map.depthTexture=new gs(s.x,s.y,li),z.map.depthTexture.name=Z.name+".shadowMapDepth",z.map.depthTexture.format=ps,z.map.depthTexture.compareFunction=null,z.map.depthTexture.minFilter=fn,z.map.depthTexture.magFilter=fn}else Z.isPointLight?(z.map=new Ma(s.x),z.map.depthTexture=new Qo(s.x,Pi)):(z.map=new Zn(s.x,s.y),z.map.depthTexture=new gs(s.x,s.y,Pi)),z.map.depthTexture.name=Z.name+".shadowMap",z.map.depthTexture.format=ps,this.type===or?(z.map.depthTexture.compareFunction=J?Iu:Pu,z.map.depthTexture.minFilter=$n,z.map.depthTexture.magFilter=$n):(z.map.depthTexture.compareFunction=null,z.map.depthTexture.minFilter=fn,z.map.depthTexture.magFilter=fn);z.camera.updateProjectionMatrix()}z.map.isWebGLCubeRenderTarget!==!0&&(z.map.width!==s.x||z.map.height!==s.y)&&z.map.setSize(s.x,s.y);let j=z.map.isWebGLCubeRenderTarget?6:z.getViewportCount();Z.isPointLight!==!0&&z.updateMatrices(Z,E);let ie=(z.camera.layers.mask&4294967294)!==0?z.camera.layers:E.layers;for(let ue=0;ue<j;ue++){let he=z.getCamera(ue);if(Z.isPointLight){let Q=z.camera,me=z.matrix,xe=Z.distance||Q.far;xe!==Q.far&&(Q.far=xe,Q.updateProjectionMatrix()),ya.setFromMatrixPosition(Z.matrixWorld),Q.position.copy(ya),zu.copy(Q.position),zu.add(JS[ue]),Q.up.copy(KS[ue]),Q.lookAt(zu),Q.updateMatrixWorld(),me.makeTranslation(-ya.x,-ya.y,-ya.z),Xp.multiplyMatrices(Q.projectionMatrix,Q.matrixWorldInverse),z._frustum.setFromProjectionMatrix(Xp,Q.coordinateSystem,Q.reversedDepth)}if(z.map.isWebGLCubeRenderTarget)i.setRenderTarget(z.map,ue),i.clear();else{ue===0&&(i.setRenderTarget(z.map),i.clear());let Q=z.getViewport(ue);o.set(r.x*Q.x,r.y*Q.y,r.x*Q.z,r.y*Q.w),H.viewport(o)}n=z.getFrustum(ue),M(x,E,he,Z,ie,this.type)}z.isPointLightShadow!==!0&&this.type===io&&v(z,E),z.needsUpdate=!1}p=this.type,m.needsUpdate=!1,i.setRenderTarget(O,D,L)};function v(A,x){let E=e.update(S);d.defines.VSM_SAMPLES!==A.blurSamples&&(d.defines.VSM_SAMPLES=A.blurSamples,f.defines.VSM_SAMPLES=A.blurSamples,d.needsUpdate=!0,f.needsUpdate=!0),A.mapPass===null?A.mapPass=new Zn(s.x,s.y,{format:qs,type:Ii}):(A.mapPass.width!==A.map.width||A.mapPass.height!==A.map.height)&&A.mapPass.setSize(A.map.width,A.map.height),d.uniforms.shadow_pass.value=A.map.depthTexture,d.uniforms.resolution.value.set(A.map.width,A.map.height),d.uniforms.radius.value=A.radius,i.setRenderTarget(A.mapPass),i.clear(),i.renderBufferDirect(x,null,E,d,S,null),f.uniforms.shadow_pass.value=A.mapPass.texture,f.uniforms.resolution.value.set(A.map.width,A.map.height),f.uniforms.radius.value=A.radius,i.setRenderTarget(A.map),i.clear(),i.renderBufferDirect(x,null,E,f,S,null)}function T(A,x,E,O){let D=null,L=E.isPointLight===!0?A.customDistanceMaterial:A.customDepthMaterial;if(L!==void 0)D=L;else if(D=E.isPointLight===!0?c:a,i.localClippingEnabled&&x.clipShadows===!0&&Array.isArray(x.clippingPlanes)&&x.clippingPlanes.length!==0||x.displacementMap&&x.displacementScale!==0||x.alphaMap&&x.alphaTest>0||x.map&&x.alphaTest>0||x.alphaToCoverage===!0){let H=D.uuid,V=x.uuid,N=l[H];N===void 0&&(N={},l[H]=N);let G=N[V];G===void 0&&(G=D.clone(),N[V]=G,x.addEventListener("dispose",C)),D=G}if(D.visible=x.visible,D.wireframe=x.wireframe,O===io?D.side=x.shadowSide!==null?x.shadowSide:x.side:D.side=x.shadowSide!==null?x.shadowSide:h[x.side],D.alphaMap=x.alphaMap,D.alphaTest=x.alphaToCoverage===!0?.5:x.alphaTest,D.map=x.map,D.clipShadows=x.clipShadows,D.clippingPlanes=x.clippingPlanes,D.clipIntersection=x.clipIntersection,D.displacementMap=x.displacementMap,D.displacementScale=x.displacementScale,D.displacementBias=x.displacementBias,D.wireframeLinewidth=x.wireframeLinewidth,D.linewidth=x.linewidth,E.isPointLight===!0&&D.isMeshDistanceMaterial===!0){let H=i.properties.get(D);H.light=E}return D}function M(A,x,E,O,D,L){if(A.visible===!1)return;if(A.layers.test(D)&&(A.isMesh||A.isLine||A.isPoints)&&(A.castShadow||A.receiveShadow&&L===io)&&(!A.frustumCulled||A.intersectsFrustum(n))){A.modelViewMatrix.multiplyMatrices(E.matrixWorldInverse,A.matrixWorld);let N=e.update(A),G=A.material;if(Array.isArray(G)){let Z=N.groups;for(let z=0,le=Z.length;z<le;z++){let J=Z[z],j=G[J.materialIndex];if(j&&j.visible){let ie=T(A,j,O,L);A.onBeforeShadow(i,A,x,E,N,ie,J),i.renderBufferDirect(E,null,N,ie,A,J),A.onAfterShadow(i,A,x,E,N,ie,J)}}}else if(G.visible){let Z=T(A,G,O,L);A.onBeforeShadow(i,A,x,E,N,Z,null),i.renderBufferDirect(E,null,N,Z,A,null),A.onAfterShadow(i,A,x,E,N,Z,null)}}let V=A.children;for(let N=0,G=V.length;N<G;N++)M(V[N],x,E,O,D,L)}function C(A){A.target.removeEventListener("dispose",C);for(let E in l){let O=l[E],D=A.target.uuid;D in O&&(O[D].dispose(),delete O[D])}}}function QS(i,e){function t(){let U=!1,se=new qt,te=null,we=new qt(0,0,0,0);return{setMask:function(ge){te!==ge&&!U&&(i.colorMask(ge,ge,ge,ge),te=ge)},setLocked:function(ge){U=ge},setClear:function(ge,Se,Ge,Ke,ae){ae===!0&&(ge*=Ke,Se*=Ke,Ge*=Ke),se.set(ge,Se,Ge,Ke),we.equals(se)===!1&&(i.clearColor(ge,Se,Ge,Ke),we.copy(se))},reset:function(){U=!1,te=null,we.set(-1,0,0,0)}}}function n(){let U=!1,se=!1,te=null,we=null,ge=null;return{setReversed:function(Se){if(se!==Se){let Ge=e.get("EXT_clip_control");Se?Ge.clipControlEXT(Ge.LOWER_LEFT_EXT,Ge.ZERO_TO_ONE_EXT):Ge.clipControlEXT(Ge.LOWER_LEFT_EXT,Ge.NEGATIVE_ONE_TO_ONE_EXT),se=Se;let Ke=ge;ge=null,this.setClear(Ke)}},getReversed:function(){return se},setTest:function(Se){Se?Me(i.DEPTH_TEST):Ve(i.DEPTH_TEST)},setMask:function(Se){te!==Se&&!U&&(i.depthMask(Se),te=Se)},setFunc:function(Se){if(se&&(Se=_p[Se]),we!==Se){switch(Se){case _l:i.depthFunc(i.NEVER);break;case xl:i.depthFunc(i.ALWAYS);break;case vl:i.depthFunc(i.LESS);break;case Xr:i.depthFunc(i.LEQUAL);break;case yl:i.depthFunc(i.EQUAL);break;case Sl:i.depthFunc(i.GEQUAL);break;case Ml:i.depthFunc(i.GREATER);break;case bl:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}we=Se}},setLocked:function(Se){U=Se},setClear:function(Se){ge!==Se&&(ge=Se,se&&(Se=1-Se),i.clearDepth(Se))},reset:function(){U=!1,te=null,we=null,ge=null,se=!1}}}function s(){let U=!1,se=null,te=null,we=null,ge=null,Se=null,Ge=null,Ke=null,ae=null;return{setTest:function(Oe){U||(Oe?Me(i.STENCIL_TEST):Ve(i.STENCIL_TEST))},setMask:function(Oe){se!==Oe&&!U&&(i.stencilMask(Oe),se=Oe)},setFunc:function(Oe,je,Re){(te!==Oe||we!==je||ge!==Re)&&(i.stencilFunc(Oe,je,Re),te=Oe,we=je,ge=Re)},setOp:function(Oe,je,Re){(Se!==Oe||Ge!==je||Ke!==Re)&&(i.stencilOp(Oe,je,Re),Se=Oe,Ge=je,Ke=Re)},setLocked:function(Oe){U=Oe},setClear:function(Oe){ae!==Oe&&(i.clearStencil(Oe),ae=Oe)},reset:function(){U=!1,se=null,te=null,we=null,ge=null,Se=null,Ge=null,Ke=null,ae=null}}}let r=new t,o=new n,a=new s,c={},l=new WeakMap,u={},h={},d={},f=new WeakMap,g=[],S=null,m=!1,p=null,v=null,T=null,M=null,C=null,A=null,x=null,E=new qe(0,0,0),O=0,D=!1,L=null,H=null,V=null,N=null,G=null,Z=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),z=!1,le=0,J=i.getParameter(i.VERSION);J.indexOf("WebGL")!==-1?(le=parseFloat(/^WebGL (\d)/.exec(J)[1]),z=le>=1):J.indexOf("OpenGL ES")!==-1&&(le=parseFloat(/^OpenGL ES (\d)/.exec(J)[1]),z=le>=2);let j=null,ie={},ue=i.getParameter(i.SCISSOR_BOX),he=i.getParameter(i.VIEWPORT),Q=new qt().fromArray(ue),me=new qt().fromArray(he);function xe(U,se,te,we){let ge=new Uint8Array(4),Se=i.createTexture();i.bindTexture(U,Se),i.texParameteri(U,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(U,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Ge=0;Ge<te;Ge++)U===i.TEXTURE_3D||U===i.TEXTURE_2D_ARRAY?i.texImage3D(se,0,i.RGBA,1,1,we,0,i.RGBA,i.UNSIGNED_BYTE,ge):i.texImage2D(se+Ge,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,ge);return Se}let Ae={};Ae[i.TEXTURE_2D]=xe(i.TEXTURE_2D,i.TEXTURE_2D,1),Ae[i.TEXTURE_CUBE_MAP]=xe(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Ae[i.TEXTURE_2D_ARRAY]=xe(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Ae[i.TEXTURE_3D]=xe(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),Me(i.DEPTH_TEST),o.setFunc(Xr),on(!1),Ct(hu),Me(i.CULL_FACE),Vt(xs);function Me(U){u[U]!==!0&&(i.enable(U),u[U]=!0)}function Ve(U){u[U]!==!1&&(i.disable(U),u[U]=!1)}function st(U,se){return d[U]!==se?(i.bindFramebuffer(U,se),d[U]=se,U===i.DRAW_FRAMEBUFFER&&(d[i.FRAMEBUFFER]=se),U===i.FRAMEBUFFER&&(d[i.DRAW_FRAMEBUFFER]=se),!0):!1}function He(U,se){let te=g,we=!1;if(U){te=f.get(se),te===void 0&&(te=[],f.set(se,te));let ge=U.textures;if(te.length!==ge.length||te[0]!==i.COLOR_ATTACHMENT0){for(let Se=0,Ge=ge.length;Se<Ge;Se++)te[Se]=i.COLOR_ATTACHMENT0+Se;te.length=ge.length,we=!0}}else te[0]!==i.BACK&&(te[0]=i.BACK,we=!0);we&&i.drawBuffers(te)}function ht(U){return S!==U?(i.useProgram(U),S=U,!0):!1}let at={[ar]:i.FUNC_ADD,[zf]:i.FUNC_SUBTRACT,[Hf]:i.FUNC_REVERSE_SUBTRACT};at[Gf]=i.MIN,at[Vf]=i.MAX;let nt={[Wf]:i.ZERO,[Xf]:i.ONE,[qf]:i.SRC_COLOR,[pu]:i.SRC_ALPHA,[jf]:i.SRC_ALPHA_SATURATE,[Jf]:i.DST_COLOR,[$f]:i.DST_ALPHA,[Yf]:i.ONE_MINUS_SRC_COLOR,[mu]:i.ONE_MINUS_SRC_ALPHA,[Kf]:i.ONE_MINUS_DST_COLOR,[Zf]:i.ONE_MINUS_DST_ALPHA,[Qf]:i.CONSTANT_COLOR,[ep]:i.ONE_MINUS_CONSTANT_COLOR,[tp]:i.CONSTANT_ALPHA,[np]:i.ONE_MINUS_CONSTANT_ALPHA};function Vt(U,se,te,we,ge,Se,Ge,Ke,ae,Oe){if(U===xs){m===!0&&(Ve(i.BLEND),m=!1);return}if(m===!1&&(Me(i.BLEND),m=!0),U!==kf){if(U!==p||Oe!==D){if((v!==ar||C!==ar)&&(i.blendEquation(i.FUNC_ADD),v=ar,C=ar),Oe)switch(U){case so:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case uu:i.blendFunc(i.ONE,i.ONE);break;case du:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case fu:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:et("WebGLState: Invalid blending: ",U);break}else switch(U){case so:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case uu:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case du:et("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case fu:et("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:et("WebGLState: Invalid blending: ",U);break}T=null,M=null,A=null,x=null,E.set(0,0,0),O=0,p=U,D=Oe}return}ge=ge||se,Se=Se||te,Ge=Ge||we,(se!==v||ge!==C)&&(i.blendEquationSeparate(at[se],at[ge]),v=se,C=ge),(te!==T||we!==M||Se!==A||Ge!==x)&&(i.blendFuncSeparate(nt[te],nt[we],nt[Se],nt[Ge]),T=te,M=we,A=Se,x=Ge),(Ke.equals(E)===!1||ae!==O)&&(i.blendColor(Ke.r,Ke.g,Ke.b,ae),E.copy(Ke),O=ae),p=U,D=!1}function Ut(U,se){U.side===In?Ve(i.CULL_FACE):Me(i.CULL_FACE);let te=U.side===Kn;se&&(te=!te),on(te),U.blending===so&&U.transparent===!1?Vt(xs):Vt(U.blending,U.blendEquation,U.blendSrc,U.blendDst,U.blendEquationAlpha,U.blendSrcAlpha,U.blendDstAlpha,U.blendColor,U.blendAlpha,U.premultipliedAlpha),o.setFunc(U.depthFunc),o.setTest(U.depthTest),o.setMask(U.depthWrite),r.setMask(U.colorWrite);let we=U.stencilWrite;a.setTest(we),we&&(a.setMask(U.stencilWriteMask),a.setFunc(U.stencilFunc,U.stencilRef,U.stencilFuncMask),a.setOp(U.stencilFail,U.stencilZFail,U.stencilZPass)),vt(U.polygonOffset,U.polygonOffsetFactor,U.polygonOffsetUnits),U.alphaToCoverage===!0?Me(i.SAMPLE_ALPHA_TO_COVERAGE):Ve(i.SAMPLE_ALPHA_TO_COVERAGE)}function on(U){L!==U&&(U?i.frontFace(i.CW):i.frontFace(i.CCW),L=U)}function Ct(U){U!==Ff?(Me(i.CULL_FACE),U!==H&&(U===hu?i.cullFace(i.BACK):U===Of?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Ve(i.CULL_FACE),H=U}function bn(U){U!==V&&(z&&i.lineWidth(U),V=U)}function vt(U,se,te){U?(Me(i.POLYGON_OFFSET_FILL),(N!==se||G!==te)&&(N=se,G=te,o.getReversed()&&(se=-se,te=-te),i.polygonOffset(se,te))):Ve(i.POLYGON_OFFSET_FILL)}function mn(U){U?Me(i.SCISSOR_TEST):Ve(i.SCISSOR_TEST)}function Jt(U){U===void 0&&(U=i.TEXTURE0+Z-1),j!==U&&(i.activeTexture(U),j=U)}function an(U,se,te){te===void 0&&(j===null?te=i.TEXTURE0+Z-1:te=j);let we=ie[te];we===void 0&&(we={type:void 0,texture:void 0},ie[te]=we),(we.type!==U||we.texture!==se)&&(j!==te&&(i.activeTexture(te),j=te),i.bindTexture(U,se||Ae[U]),we.type=U,we.texture=se)}function F(){let U=ie[j];U!==void 0&&U.type!==void 0&&(i.bindTexture(U.type,null),U.type=void 0,U.texture=void 0)}function Ce(){try{i.compressedTexImage2D(...arguments)}catch(U){et("WebGLState:",U)}}function Ye(){try{i.compressedTexImage3D(...arguments)}catch(U){et("WebGLState:",U)}}function rt(){try{i.texSubImage2D(...arguments)}catch(U){et("WebGLState:",U)}}function be(){try{i.texSubImage3D(...arguments)}catch(U){et("WebGLState:",U)}}function Lt(){try{i.compressedTexSubImage2D(...arguments)}catch(U){et("WebGLState:",U)}}function ze(){try{i.compressedTexSubImage3D(...arguments)}catch(U){et("WebGLState:",U)}}function Xe(){try{i.texStorage2D(...arguments)}catch(U){et("WebGLState:",U)}}function R(){try{i.texStorage3D(...arguments)}catch(U){et("WebGLState:",U)}}function y(){try{i.texImage2D(...arguments)}catch(U){et("WebGLState:",U)}}function W(){try{i.texImage3D(...arguments)}catch(U){et("WebGLState:",U)}}function ce(U){return h[U]!==void 0?h[U]:i.getParameter(U)}function re(U,se){h[U]!==se&&(i.pixelStorei(U,se),h[U]=se)}function _e(U){Q.equals(U)===!1&&(i.scissor(U.x,U.y,U.z,U.w),Q.copy(U))}function ve(U){me.equals(U)===!1&&(i.viewport(U.x,U.y,U.z,U.w),me.copy(U))}function ee(U,se){let te=l.get(se);te===void 0&&(te=new WeakMap,l.set(se,te));let we=te.get(U);we===void 0&&(we=i.getUniformBlockIndex(se,U.name),i.uniformBlockBinding(se,we,we),te.set(U,we))}function ne(U,se,te){let ge=l.get(se).get(U);c[ge]!==te&&(i.bindBufferBase(i.UNIFORM_BUFFER,ge,te),c[ge]=te)}function fe(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),u={},h={},j=null,ie={},d={},c={},f=new WeakMap,g=[],S=null,m=!1,p=null,v=null,T=null,M=null,C=null,A=null,x=null,E=new qe(0,0,0),O=0,D=!1,L=null,H=null,V=null,N=null,G=null,Q.set(0,0,i.canvas.width,i.canvas.height),me.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:Me,disable:Ve,bindFramebuffer:st,drawBuffers:He,useProgram:ht,setBlending:Vt,setMaterial:Ut,setFlipSided:on,setCullFace:Ct,setLineWidth:bn,setPolygonOffset:vt,setScissorTest:mn,activeTexture:Jt,bindTexture:an,unbindTexture:F,compressedTexImage2D:Ce,compressedTexImage3D:Ye,texImage2D:y,texImage3D:W,pixelStorei:re,getParameter:ce,updateUBOMapping:ee,uniformBlockBinding:ne,texStorage2D:Xe,texStorage3D:R,texSubImage2D:rt,texSubImage3D:be,compressedTexSubImage2D:Lt,compressedTexSubImage3D:ze,scissor:_e,viewport:ve,reset:fe}}function eM(i,e,t,n,s,r,o){let a=e.has("WEBGL_multisampled_render_to_texture")?e.get("WEBGL_multisampled_render_to_texture"):null,c=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),l=new ut,u=new WeakMap,h=new Set,d,f=new WeakMap,g=new Set,S=new FinalizationRegistry(R=>g.delete(R)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function p(R,y){return m?new OffscreenCanvas(R,y):Wo("canvas")}function v(R,y,W){let ce=1,re=Xe(R);if((re.width>W||re.height>W)&&(ce=W/Math.max(re.width,re.height)),ce<1)if(typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&R instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&R instanceof ImageBitmap||typeof VideoFrame<"u"&&R instanceof VideoFrame){let _e=Math.floor(ce*re.width),ve=Math.floor(ce*re.height);d===void 0&&(d=p(_e,ve));let ee=y?p(_e,ve):d;return ee.width=_e,ee.height=ve,ee.getContext("2d").drawImage(R,0,0,_e,ve),$e("WebGLRenderer: Texture has been resized from ("+re.width+"x"+re.height+") to ("+_e+"x"+ve+")."),ee}else return"data"in R&&$e("WebGLRenderer: Image in DataTexture is too big ("+re.width+"x"+re.height+")."),R;return R}function T(R){return R.generateMipmaps}function M(R){i.generateMipmap(R)}function C(R){return R.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:R.isWebGL3DRenderTarget?i.TEXTURE_3D:R.isWebGLArrayRenderTarget||R.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function A(R,y,W,ce,re,_e=!1){if(R!==null){if(i[R]!==void 0)return i[R];$e("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+R+"'")}let ve;ce&&(ve=e.get("EXT_texture_norm16"),ve||$e("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let ee=y;if(y===i.RED&&(W===i.FLOAT&&(ee=i.R32F),W===i.HALF_FLOAT&&(ee=i.R16F),W===i.UNSIGNED_BYTE&&(ee=i.R8),W===i.UNSIGNED_SHORT&&ve&&(ee=ve.R16_EXT),W===i.SHORT&&ve&&(ee=ve.R16_SNORM_EXT)),y===i.RED_INTEGER&&(W===i.UNSIGNED_BYTE&&(ee=i.R8UI),W===i.UNSIGNED_SHORT&&(ee=i.R16UI),W===i.UNSIGNED_INT&&(ee=i.R32UI),W===i.BYTE&&(ee=i.R8I),W===i.SHORT&&(ee=i.R16I),W===i.INT&&(ee=i.R32I)),y===i.RG&&(W===i.FLOAT&&(ee=i.RG32F),W===i.HALF_FLOAT&&(ee=i.RG16F),W===i.UNSIGNED_BYTE&&(ee=i.RG8),W===i.UNSIGNED_SHORT&&ve&&(ee=ve.RG16_EXT),W===i.SHORT&&ve&&(ee=ve.RG16_SNORM_EXT)),y===i.RG_INTEGER&&(W===i.UNSIGNED_BYTE&&(ee=i.RG8UI),W===i.UNSIGNED_SHORT&&(ee=i.RG16UI),W===i.UNSIGNED_INT&&(ee=i.RG32UI),W===i.BYTE&&(ee=i.RG8I),W===i.SHORT&&(ee=i.RG16I),W===i.INT&&(ee=i.RG32I)),y===i.RGB_INTEGER&&(W===i.UNSIGNED_BYTE&&(ee=i.RGB8UI),W===i.UNSIGNED_SHORT&&(ee=i.RGB16UI),W===i.UNSIGNED_INT&&(ee=i.RGB32UI),W===i.BYTE&&(ee=i.RGB8I),W===i.SHORT&&(ee=i.RGB16I),W===i.INT&&(ee=i.RGB32I)),y===i.RGBA_INTEGER&&(W===i.UNSIGNED_BYTE&&(ee=i.RGBA8UI),W===i.UNSIGNED_SHORT&&(ee=i.RGBA16UI),W===i.UNSIGNED_INT&&(ee=i.RGBA32UI),W===i.BYTE&&(ee=i.RGBA8I),W===i.SHORT&&(ee=i.RGBA16I),W===i.INT&&(ee=i.RGBA32I)),y===i.RGB&&(W===i.UNSIGNED_SHORT&&ve&&(ee=ve.RGB16_EXT),W===i.SHORT&&ve&&(ee=ve.RGB16_SNORM_EXT),W===i.UNSIGNED_INT_5_9_9_9_REV&&(ee=i.RGB9_E5),W===i.UNSIGNED_INT_10F_11F_11F_REV&&(ee=i.R11F_G11F_B10F)),y===i.RGBA){let ne=_e?Vo:gt.getTransfer(re);W===i.FLOAT&&(ee=i.RGBA32F),W===i.HALF_FLOAT&&(ee=i.RGBA16F),W===i.UNSIGNED_BYTE&&(ee=ne===wt?i.SRGB8_ALPHA8:i.RGBA8),W===i.UNSIGNED_SHORT&&ve&&(ee=ve.RGBA16_EXT),W===i.SHORT&&ve&&(ee=ve.RGBA16_SNORM_EXT),W===i.UNSIGNED_SHORT_4_4_4_4&&(ee=i.RGBA4),W===i.UNSIGNED_SHORT_5_5_5_1&&(ee=i.RGB5_A1)}return(ee===i.R16F||ee===i.R32F||ee===i.RG16F||ee===i.RG32F||ee===i.RGBA16F||ee===i.RGBA32F)&&e.get("EXT_color_buffer_float"),ee}function x(R,y){let W;return R?y===null||y===Pi||y===cr?W=i.DEPTH24_STENCIL8:y===li?W=i.DEPTH32F_STENCIL8:y===Xs&&(W=i.DEPTH24_STENCIL8,$e("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):y===null||y===Pi||y===cr?W=i.DEPTH_COMPONENT24:y===li?W=i.DEPTH_COMPONENT32F:y===Xs&&(W=i.DEPTH_COMPONENT16),W}function E(R,y){return T(R)===!0||R.isFramebufferTexture&&R.minFilter!==fn&&R.minFilter!==$n?Math.log2(Math.max(y.width,y.height))+1:R.mipmaps.length>0?R.mipmaps.length:R.isCompressedTexture&&Array.isArray(R.image)?y.mipmaps.length:1}function O(R){let y=new WeakRef(R);n.get(R).__ref=y,g.add(y),S.register(R,y,y)}function D(R){let y=n.get(R).__ref;y!==void 0&&(g.delete(y),S.unregister(y))}function L(R){V(R.target)}function H(R){N(R.target)}function V(R){R.removeEventListener("dispose",L),D(R),Z(R),R.isVideoTexture&&u.delete(R),R.isHTMLTexture&&h.delete(R)}function N(R){R.removeEventListener("dispose",H),D(R),le(R)}function G(){for(let R of g){let y=R.deref();y!==void 0&&(y.isRenderTarget===!0?N(y):V(y))}g.clear(),h.clear()}function Z(R){let y=n.get(R);if(y.__webglInit===void 0)return;let W=R.source,ce=f.get(W);if(ce){let re=ce[y.__cacheKey];re.usedTimes--,re.usedTimes===0&&z(R),Object.keys(ce).length===0&&f.delete(W)}n.remove(R)}function z(R){let y=n.get(R);i.deleteTexture(y.__webglTexture);let W=R.source,ce=f.get(W);delete ce[y.__cacheKey],o.memory.textures--}function le(R){let y=n.get(R);y.__depthDisposeCallback&&y.__depthDisposeCallback();let W=R.depthTexture;if(W&&W.renderTarget===R&&V(W),R.isWebGLCubeRenderTarget)for(let re=0;re<6;re++){if(Array.isArray(y.__webglFramebuffer[re]))for(let _e=0;_e<y.__webglFramebuffer[re].length;_e++)i.deleteFramebuffer(y.__webglFramebuffer[re][_e]);else i.deleteFramebuffer(y.__webglFramebuffer[re]);y.__webglDepthbuffer&&i.deleteRenderbuffer(y.__webglDepthbuffer[re])}else{if(Array.isArray(y.__webglFramebuffer))for(let re=0;re<y.__webglFramebuffer.length;re++)i.deleteFramebuffer(y.__webglFramebuffer[re]);else i.deleteFramebuffer(y.__webglFramebuffer);if(y.__webglDepthbuffer&&i.deleteRenderbuffer(y.__webglDepthbuffer),y.__webglMultisampledFramebuffer&&i.deleteFramebuffer(y.__webglMultisampledFramebuffer),y.__webglColorRenderbuffer)for(let re=0;re<y.__webglColorRenderbuffer.length;re++)y.__webglColorRenderbuffer[re]&&i.deleteRenderbuffer(y.__webglColorRenderbuffer[re]);y.__webglDepthRenderbuffer&&i.deleteRenderbuffer(y.__webglDepthRenderbuffer)}let ce=R.textures;for(let re=0,_e=ce.length;re<_e;re++){let ve=n.get(ce[re]);ve.__webglTexture&&(i.deleteTexture(ve.__webglTexture),o.memory.textures--),n.remove(ce[re])}n.remove(R)}let J=0;function j(){J=0}function ie(){return J}function ue(R){J=R}function he(){let R=J;return R>=s.maxTextures&&$e("WebGLTextures: Trying to use "+(R+1)+" texture units while this GPU supports only "+s.maxTextures),J+=1,R}function Q(R){let y=[];return y.push(R.wrapS),y.push(R.wrapT),y.push(R.wrapR||0),y.push(R.magFilter),y.push(R.minFilter),y.push(R.anisotropy),y.push(R.internalFormat),y.push(R.format),y.push(R.type),y.push(R.generateMipmaps),y.push(R.mipmapsAutoUpdate),y.push(R.premultiplyAlpha),y.push(R.flipY),y.push(R.unpackAlignment),y.push(R.colorSpace),y.join()}function me(R,y){let W=n.get(R);if(R.isVideoTexture&&Lt(R),R.isRenderTargetTexture===!1&&R.isExternalTexture!==!0&&R.version>0&&W.__version!==R.version){let ce=R.image;if(ce===null)$e("WebGLRenderer: Texture marked for update but no image data found.");else if(ce.complete===!1)$e("WebGLRenderer: Texture marked for update but image is incomplete");else{Ut(W,R,y);return}}else R.isExternalTexture&&(W.__webglTexture=R.sourceTexture?R.sourceTexture:null);t.bindTexture(i.TEXTURE_2D,W.__webglTexture,i.TEXTURE0+y)}function xe(R,y){let W=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&W.__version!==R.version){Ut(W,R,y);return}else R.isExternalTexture&&(W.__webglTexture=R.sourceTexture?R.sourceTexture:null);t.bindTexture(i.TEXTURE_2D_ARRAY,W.__webglTexture,i.TEXTURE0+y)}function Ae(R,y){let W=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&W.__version!==R.version){Ut(W,R,y);return}t.bindTexture(i.TEXTURE_3D,W.__webglTexture,i.TEXTURE0+y)}function Me(R,y){let W=n.get(R);if(R.version>0&&W.__version!==R.version){on(W,R,y);return}t.bindTexture(i.TEXTURE_CUBE_MAP,W.__webglTexture,i.TEXTURE0+y)}let Ve={[wl]:i.REPEAT,[Xi]:i.CLAMP_TO_EDGE,[El]:i.MIRRORED_REPEAT},st={[fn]:i.NEAREST,[rp]:i.NEAREST_MIPMAP_NEAREST,[ha]:i.NEAREST_MIPMAP_LINEAR,[$n]:i.LINEAR,[ec]:i.LINEAR_MIPMAP_NEAREST,[vs]:i.LINEAR_MIPMAP_LINEAR},He={[cp]:i.NEVER,[Lu]:i.ALWAYS,[hp]:i.LESS,[Pu]:i.LEQUAL,[up]:i.EQUAL,[Iu]:i.GEQUAL,[dp]:i.GREATER,[fp]:i.NOTEQUAL};function ht(R,y){if(y.type===li&&e.has("OES_texture_float_linear")===!1&&(y.magFilter===$n||y.magFilter===ec||y.magFilter===ha||y.magFilter===vs||y.minFilter===$n||y.minFilter===ec||y.minFilter===ha||y.minFilter===vs)&&$e("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(R,i.TEXTURE_WRAP_S,Ve[y.wrapS]),i.texParameteri(R,i.TEXTURE_WRAP_T,Ve[y.wrapT]),(R===i.TEXTURE_3D||R===i.TEXTURE_2D_ARRAY)&&i.texParameteri(R,i.TEXTURE_WRAP_R,Ve[y.wrapR]),i.texParameteri(R,i.TEXTURE_MAG_FILTER,st[y.magFilter]),i.texParameteri(R,i.TEXTURE_MIN_FILTER,st[y.minFilter]),y.compareFunction&&(i.texParameteri(R,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(R,i.TEXTURE_COMPARE_FUNC,He[y.compareFunction])),e.has("EXT_texture_filter_anisotropic")===!0){if(y.magFilter===fn||y.minFilter!==ha&&y.minFilter!==vs||y.type===li&&e.has("OES_texture_float_linear")===!1)return;if(y.anisotropy>1||n.get(y).__currentAnisotropy){let W=e.get("EXT_texture_filter_anisotropic");i.texParameterf(R,W.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(y.anisotropy,s.getMaxAnisotropy())),n.get(y).__currentAnisotropy=y.anisotropy}}}function at(R,y){let W=!1;R.__webglInit===void 0&&(R.__webglInit=!0,y.addEventListener("dispose",L),O(y));let ce=y.source,re=f.get(ce);re===void 0&&(re={},f.set(ce,re));let _e=Q(y);if(_e!==R.__cacheKey){re[_e]===void 0&&(re[_e]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,W=!0),re[_e].usedTimes++;let ve=re[R.__cacheKey];ve!==void 0&&(re[R.__cacheKey].usedTimes--,ve.usedTimes===0&&z(y)),R.__cacheKey=_e,R.__webglTexture=re[_e].texture}return W}function nt(R,y,W){return Math.floor(Math.floor(R/W)/y)}function Vt(R,y,W,ce){let _e=R.updateRanges;if(_e.length===0)t.texSubImage2D(i.TEXTURE_2D,0,0,0,y.width,y.height,W,ce,y.data);else{_e.sort((U,se)=>U.start-se.start);let ve=0;for(let U=1;U<_e.length;U++){let se=_e[ve],te=_e[U],we=se.start+se.count,ge=nt(te.start,y.width,4),Se=nt(se.start,y.width,4);te.start<=we+1&&ge===Se&&nt(te.start+te.count-1,y.width,4)===ge?se.count=Math.max(se.count,te.start+te.count-se.start):(++ve,_e[ve]=te)}_e.length=ve+1;let ee=t.getParameter(i.UNPACK_ROW_LENGTH),ne=t.getParameter(i.UNPACK_SKIP_PIXELS),fe=t.getParameter(i.UNPACK_SKIP_ROWS);t.pixelStorei(i.UNPACK_ROW_LENGTH,y.width);for(let U=0,se=_e.length;U<se;U++){let te=_e[U],we=Math.floor(te.start/4),ge=Math.ceil(te.count/4),Se=we%y.width,Ge=Math.floor(we/y.width),Ke=ge,ae=1;t.pixelStorei(i.UNPACK_SKIP_PIXELS,Se),t.pixelStorei(i.UNPACK_SKIP_ROWS,Ge),t.texSubImage2D(i.TEXTURE_2D,0,Se,Ge,Ke,ae,W,ce,y.data)}R.clearUpdateRanges(),t.pixelStorei(i.UNPACK_ROW_LENGTH,ee),t.pixelStorei(i.UNPACK_SKIP_PIXELS,ne),t.pixelStorei(i.UNPACK_SKIP_ROWS,fe)}}function Ut(R,y,W){let ce=i.TEXTURE_2D;(y.isDataArrayTexture||y.isCompressedArrayTexture)&&(ce=i.TEXTURE_2D_ARRAY),y.isData3DTexture&&(ce=i.TEXTURE_3D);let re=at(R,y),_e=y.source;t.bindTexture(ce,R.__webglTexture,i.TEXTURE0+W);let ve=n.get(_e);if(_e.version!==ve.__version||re===!0){if(t.activeTexture(i.TEXTURE0+W),(typeof ImageBitmap<"u"&&y.image instanceof ImageBitmap)===!1){let ae=gt.getPrimaries(gt.workingColorSpace),Oe=y.colorSpace===Ss?null:gt.getPrimaries(y.colorSpace),je=y.colorSpace===Ss||ae===Oe?i.NONE:i.BROWSER_DEFAULT_WEBGL;t.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,y.flipY),t.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,y.premultiplyAlpha),t.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,je)}t.pixelStorei(i.UNPACK_ALIGNMENT,y.unpackAlignment);let ne=v(y.image,!1,s.maxTextureSize);ne=ze(y,ne);let fe=r.convert(y.format,y.colorSpace),U=r.convert(y.type),se=A(y.internalFormat,fe,U,y.normalized,y.colorSpace,y.isVideoTexture);ht(ce,y);let te,we=y.mipmaps,ge=y.isVideoTexture!==!0,Se=ve.__version===void 0||re===!0,Ge=_e.dataReady,Ke=E(y,ne);if(y.isDepthTexture)se=x(y.format===ys,y.type),Se&&(ge?t.texStorage2D(i.TEXTURE_2D,1,se,ne.width,ne.height):t.texImage2D(i.TEXTURE_2D,0,se,ne.width,ne.height,0,fe,U,null));else if(y.isDataTexture)if(we.length>0){ge&&Se&&t.texStorage2D(i.TEXTURE_2D,Ke,se,we[0].width,we[0].height);for(let ae=0,Oe=we.length;ae<Oe;ae++)te=we[ae],ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,ae,0,0,te.width,te.height,fe,U,te.data):t.texImage2D(i.TEXTURE_2D,ae,se,te.width,te.height,0,fe,U,te.data);y.generateMipmaps=!1}else ge?(Se&&t.texStorage2D(i.TEXTURE_2D,Ke,se,ne.width,ne.height),Ge&&Vt(y,ne,fe,U)):t.texImage2D(i.TEXTURE_2D,0,se,ne.width,ne.height,0,fe,U,ne.data);else if(y.isCompressedTexture)if(y.isCompressedArrayTexture){ge&&Se&&t.texStorage3D(i.TEXTURE_2D_ARRAY,Ke,se,we[0].width,we[0].height,ne.depth);for(let ae=0,Oe=we.length;ae<Oe;ae++)if(te=we[ae],y.format!==Li)if(fe!==null)if(ge){if(Ge)if(y.layerUpdates.size>0){let je=Bu(te.width,te.height,y.format,y.type);for(let Re of y.layerUpdates){let ot=te.data.subarray(Re*je/te.data.BYTES_PER_ELEMENT,(Re+1)*je/te.data.BYTES_PER_ELEMENT);t.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ae,0,0,Re,te.width,te.height,1,fe,ot)}}else t.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,ae,0,0,0,te.width,te.height,ne.depth,fe,te.data)}else t.compressedTexImage3D(i.TEXTURE_2D_ARRAY,ae,se,te.width,te.height,ne.depth,0,te.data,0,0);else $e("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else ge?Ge&&t.texSubImage3D(i.TEXTURE_2D_ARRAY,ae,0,0,0,te.width,te.height,ne.depth,fe,U,te.data):t.texImage3D(i.TEXTURE_2D_ARRAY,ae,se,te.width,te.height,ne.depth,0,fe,U,te.data);y.layerUpdates.size>0&&y.clearLayerUpdates()}else{ge&&Se&&t.texStorage2D(i.TEXTURE_2D,Ke,se,we[0].width,we[0].height);for(let ae=0,Oe=we.length;ae<Oe;ae++)te=we[ae],y.format!==Li?fe!==null?ge?Ge&&t.compressedTexSubImage2D(i.TEXTURE_2D,ae,0,0,te.width,te.height,fe,te.data):t.compressedTexImage2D(i.TEXTURE_2D,ae,se,te.width,te.height,0,te.data):$e("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,ae,0,0,te.width,te.height,fe,U,te.data):t.texImage2D(i.TEXTURE_2D,ae,se,te.width,te.height,0,fe,U,te.data)}else if(y.isDataArrayTexture)if(ge){if(Se&&t.texStorage3D(i.TEXTURE_2D_ARRAY,Ke,se,ne.width,ne.height,ne.depth),Ge)if(y.layerUpdates.size>0){let ae=Bu(ne.width,ne.height,y.format,y.type);for(let Oe of y.layerUpdates){let je=ne.data.subarray(Oe*ae/ne.data.BYTES_PER_ELEMENT,(Oe+1)*ae/ne.data.BYTES_PER_ELEMENT);t.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Oe,ne.width,ne.height,1,fe,U,je)}y.clearLayerUpdates()}else t.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,ne.width,ne.height,ne.depth,fe,U,ne.data)}else t.texImage3D(i.TEXTURE_2D_ARRAY,0,se,ne.width,ne.height,ne.depth,0,fe,U,ne.data);else if(y.isData3DTexture)ge?(Se&&t.texStorage3D(i.TEXTURE_3D,Ke,se,ne.width,ne.height,ne.depth),Ge&&t.texSubImage3D(i.TEXTURE_3D,0,0,0,0,ne.width,ne.height,ne.depth,fe,U,ne.data)):t.texImage3D(i.TEXTURE_3D,0,se,ne.width,ne.height,ne.depth,0,fe,U,ne.data);else if(y.isFramebufferTexture){if(Se)if(ge)t.texStorage2D(i.TEXTURE_2D,Ke,se,ne.width,ne.height);else{let ae=ne.width,Oe=ne.height;for(let je=0;je<Ke;je++)t.texImage2D(i.TEXTURE_2D,je,se,ae,Oe,0,fe,U,null),ae>>=1,Oe>>=1}}else if(y.isHTMLTexture){if("texElementImage2D"in i){let ae=i.canvas;if(ae.hasAttribute("layoutsubtree")||ae.setAttribute("layoutsubtree","true"),ne.parentNode!==ae){ae.appendChild(ne),h.add(y),ae.onpaint=Oe=>{let je=Oe.changedElements;for(let Re of h)je.includes(Re.image)&&(Re.needsUpdate=!0)},ae.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,ne);else{let je=i.RGBA,Re=i.RGBA,ot=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,je,Re,ot,ne)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(we.length>0){if(ge&&Se){let ae=Xe(we[0]);t.texStorage2D(i.TEXTURE_2D,Ke,se,ae.width,ae.height)}for(let ae=0,Oe=we.length;ae<Oe;ae++)te=we[ae],ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,ae,0,0,fe,U,te):t.texImage2D(i.TEXTURE_2D,ae,se,fe,U,te);y.generateMipmaps=!1}else if(ge){if(Se){let ae=Xe(ne);t.texStorage2D(i.TEXTURE_2D,Ke,se,ae.width,ae.height)}Ge&&t.texSubImage2D(i.TEXTURE_2D,0,0,0,fe,U,ne)}else t.texImage2D(i.TEXTURE_2D,0,se,fe,U,ne);T(y)&&y.mipmapsAutoUpdate===!0&&M(ce),ve.__version=_e.version,y.onUpdate&&y.onUpdate(y)}R.__version=y.version}function on(R,y,W){if(y.image.length!==6)return;let ce=at(R,y),re=y.source;t.bindTexture(i.TEXTURE_CUBE_MAP,R.__webglTexture,i.TEXTURE0+W);let _e=n.get(re);if(re.version!==_e.__version||ce===!0){t.activeTexture(i.TEXTURE0+W);let ve=gt.getPrimaries(gt.workingColorSpace),ee=y.colorSpace===Ss?null:gt.getPrimaries(y.colorSpace),ne=y.colorSpace===Ss||ve===ee?i.NONE:i.BROWSER_DEFAULT_WEBGL;t.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,y.flipY),t.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,y.premultiplyAlpha),t.pixelStorei(i.UNPACK_ALIGNMENT,y.unpackAlignment),t.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,ne);let fe=y.isCompressedTexture||y.image[0].isCompressedTexture,U=y.image[0]&&y.image[0].isDataTexture,se=[];for(let Re=0;Re<6;Re++)!fe&&!U?se[Re]=v(y.image[Re],!0,s.maxCubemapSize):se[Re]=U?y.image[Re].image:y.image[Re],se[Re]=ze(y,se[Re]);let te=se[0],we=r.convert(y.format,y.colorSpace),ge=r.convert(y.type),Se=A(y.internalFormat,we,ge,y.normalized,y.colorSpace),Ge=y.isVideoTexture!==!0,Ke=_e.__version===void 0||ce===!0,ae=re.dataReady,Oe=E(y,te);ht(i.TEXTURE_CUBE_MAP,y);let je;if(y.isDepthTexture){if(Se=x(y.format===ys,y.type),Ke)if(Ge)t.texStorage2D(i.TEXTURE_CUBE_MAP,1,Se,te.width,te.height);else for(let Re=0;Re<6;Re++)t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,Se,te.width,te.height,0,we,ge,null)}else if(fe){Ge&&Ke&&t.texStorage2D(i.TEXTURE_CUBE_MAP,Oe,Se,te.width,te.height);for(let Re=0;Re<6;Re++){je=se[Re].mipmaps;for(let ot=0;ot<je.length;ot++){let Ot=je[ot];y.format!==Li?we!==null?Ge?ae&&t.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot,0,0,Ot.width,Ot.height,we,Ot.data):t.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot,Se,Ot.width,Ot.height,0,Ot.data):$e("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Ge?ae&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot,0,0,Ot.width,Ot.height,we,ge,Ot.data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot,Se,Ot.width,Ot.height,0,we,ge,Ot.data)}}}else{if(je=y.mipmaps,Ge&&Ke){je.length>0&&Oe++;let Re=Xe(se[0]);t.texStorage2D(i.TEXTURE_CUBE_MAP,Oe,Se,Re.width,Re.height)}for(let Re=0;Re<6;Re++)if(U){Ge?ae&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,0,0,se[Re].width,se[Re].height,we,ge,se[Re].data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,Se,se[Re].width,se[Re].height,0,we,ge,se[Re].data);for(let ot=0;ot<je.length;ot++){let kn=je[ot].image[Re].image;Ge?ae&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot+1,0,0,kn.width,kn.height,we,ge,kn.data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot+1,Se,kn.width,kn.height,0,we,ge,kn.data)}}else{Ge?ae&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,0,0,we,ge,se[Re]):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,Se,we,ge,se[Re]);for(let ot=0;ot<je.length;ot++){let Ot=je[ot];Ge?ae&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot+1,0,0,we,ge,Ot.image[Re]):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,ot+1,Se,we,ge,Ot.image[Re])}}}T(y)&&y.mipmapsAutoUpdate===!0&&M(i.TEXTURE_CUBE_MAP),_e.__version=re.version,y.onUpdate&&y.onUpdate(y)}R.__version=y.version}function Ct(R,y,W,ce,re,_e){let ve=r.convert(W.format,W.colorSpace),ee=r.convert(W.type),ne=A(W.internalFormat,ve,ee,W.normalized,W.colorSpace),fe=n.get(y),U=n.get(W);if(U.__renderTarget=y,!fe.__hasExternalTextures){let se=Math.max(1,y.width>>_e),te=Math.max(1,y.height>>_e);re===i.TEXTURE_3D||re===i.TEXTURE_2D_ARRAY?t.texImage3D(re,_e,ne,se,te,y.depth,0,ve,ee,null):t.texImage2D(re,_e,ne,se,te,0,ve,ee,null)}t.bindFramebuffer(i.FRAMEBUFFER,R),be(y)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,ce,re,U.__webglTexture,0,rt(y)):(re===i.TEXTURE_2D||re>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&re<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,ce,re,U.__webglTexture,_e),t.bindFramebuffer(i.FRAMEBUFFER,null)}function bn(R,y,W){if(i.bindRenderbuffer(i.RENDERBUFFER,R),y.depthBuffer){let ce=y.depthTexture,re=ce&&ce.isDepthTexture?ce.type:null,_e=x(y.stencilBuffer,re),ve=y.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;be(y)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,rt(y),_e,y.width,y.height):W?i.renderbufferStorageMultisample(i.RENDERBUFFER,rt(y),_e,y.width,y.height):i.renderbufferStorage(i.RENDERBUFFER,_e,y.width,y.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,ve,i.RENDERBUFFER,R)}else{let ce=y.textures;for(let re=0;re<ce.length;re++){let _e=ce[re],ve=r.convert(_e.format,_e.colorSpace),ee=r.convert(_e.type),ne=A(_e.internalFormat,ve,ee,_e.normalized,_e.colorSpace);be(y)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,rt(y),ne,y.width,y.height):W?i.renderbufferStorageMultisample(i.RENDERBUFFER,rt(y),ne,y.width,y.height):i.renderbufferStorage(i.RENDERBUFFER,ne,y.width,y.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function vt(R,y,W){let ce=y.isWebGLCubeRenderTarget===!0;if(t.bindFramebuffer(i.FRAMEBUFFER,R),!(y.depthTexture&&y.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let re=n.get(y.depthTexture);re.__renderTarget=y;let _e=ce?y.depthTexture.image[0]:y.depthTexture.image;(!re.__webglTexture||_e.width!==y.width||_e.height!==y.height)&&(_e.width=y.width,_e.height=y.height,y.depthTexture.needsUpdate=!0),ce?Me(y.depthTexture,0):me(y.depthTexture,0);let ve=re.__webglTexture,ee=rt(y),ne=ce?i.TEXTURE_CUBE_MAP_POSITIVE_X+W:i.TEXTURE_2D,fe=y.depthTexture.format===ys?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(y.depthTexture.format===ps)be(y)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,fe,ne,ve,0,ee):i.framebufferTexture2D(i.FRAMEBUFFER,fe,ne,ve,0);else if(y.depthTexture.format===ys)be(y)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,fe,ne,ve,0,ee):i.framebufferTexture2D(i.FRAMEBUFFER,fe,ne,ve,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function mn(R){let y=n.get(R),W=R.isWebGLCubeRenderTarget===!0;if(y.__boundDepthTexture!==R.depthTexture){let ce=R.depthTexture;if(y.__depthDisposeCallback&&y.__depthDisposeCallback(),ce){let re=()=>{delete y.__boundDepthTexture,delete y.__depthDisposeCallback,ce.removeEventListener("dispose",re)};ce.addEventListener("dispose",re),y.__depthDisposeCallback=re}y.__boundDepthTexture=ce}if(R.depthTexture&&!y.__autoAllocateDepthBuffer)if(W)for(let ce=0;ce<6;ce++)vt(y.__webglFramebuffer[ce],R,ce);else R.texture.mipmaps.length>0?vt(y.__webglFramebuffer[0],R,0):vt(y.__webglFramebuffer,R,0);else if(W){y.__webglDepthbuffer=[];for(let ce=0;ce<6;ce++)if(t.bindFramebuffer(i.FRAMEBUFFER,y.__webglFramebuffer[ce]),y.__webglDepthbuffer[ce]===void 0)y.__webglDepthbuffer[ce]=i.createRenderbuffer(),bn(y.__webglDepthbuffer[ce],R,!1);else{let re=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,_e=y.__webglDepthbuffer[ce];i.bindRenderbuffer(i.RENDERBUFFER,_e),i.framebufferRenderbuffer(i.FRAMEBUFFER,re,i.RENDERBUFFER,_e)}}else if(R.texture.mipmaps.length>0?t.bindFramebuffer(i.FRAMEBUFFER,y.__webglFramebuffer[0]):t.bindFramebuffer(i.FRAMEBUFFER,y.__webglFramebuffer),y.__webglDepthbuffer===void 0)y.__webglDepthbuffer=i.createRenderbuffer(),bn(y.__webglDepthbuffer,R,!1);else{let re=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,_e=y.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,_e),i.framebufferRenderbuffer(i.FRAMEBUFFER,re,i.RENDERBUFFER,_e)}t.bindFramebuffer(i.FRAMEBUFFER,null)}function Jt(R,y,W){let ce=n.get(R);y!==void 0&&Ct(ce.__webglFramebuffer,R,R.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),W!==void 0&&mn(R)}function an(R){let y=R.texture,W=n.get(R),ce=n.get(y);R.addEventListener("dispose",H),O(R);let re=R.textures,_e=R.isWebGLCubeRenderTarget===!0,ve=re.length>1;if(ve||(ce.__webglTexture===void 0&&(ce.__webglTexture=i.createTexture()),ce.__version=y.version,o.memory.textures++),_e){W.__webglFramebuffer=[];for(let ee=0;ee<6;ee++)if(y.mipmaps.length>0){W.__webglFramebuffer[ee]=[];for(let ne=0;ne<y.mipmaps.length;ne++)W.__webglFramebuffer[ee][ne]=i.createFramebuffer()}else W.__webglFramebuffer[ee]=i.createFramebuffer()}else{if(y.mipmaps.length>0){W.__webglFramebuffer=[];for(let ee=0;ee<y.mipmaps.length;ee++)W.__webglFramebuffer[ee]=i.createFramebuffer()}else W.__webglFramebuffer=i.createFramebuffer();if(ve)for(let ee=0,ne=re.length;ee<ne;ee++){let fe=n.get(re[ee]);fe.__webglTexture===void 0&&(fe.__webglTexture=i.createTexture(),o.memory.textures++)}if(R.samples>0&&be(R)===!1){W.__webglMultisampledFramebuffer=i.createFramebuffer(),W.__webglColorRenderbuffer=[],t.bindFramebuffer(i.FRAMEBUFFER,W.__webglMultisampledFramebuffer);for(let ee=0;ee<re.length;ee++){let ne=re[ee];W.__webglColorRenderbuffer[ee]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,W.__webglColorRenderbuffer[ee]);let fe=r.convert(ne.format,ne.colorSpace),U=r.convert(ne.type),se=A(ne.internalFormat,fe,U,ne.normalized,ne.colorSpace,R.isXRRenderTarget===!0),te=rt(R);i.renderbufferStorageMultisample(i.RENDERBUFFER,te,se,R.width,R.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+ee,i.RENDERBUFFER,W.__webglColorRenderbuffer[ee])}i.bindRenderbuffer(i.RENDERBUFFER,null),R.depthBuffer&&(W.__webglDepthRenderbuffer=i.createRenderbuffer(),bn(W.__webglDepthRenderbuffer,R,!0)),t.bindFramebuffer(i.FRAMEBUFFER,null)}}if(_e){t.bindTexture(i.TEXTURE_CUBE_MAP,ce.__webglTexture),ht(i.TEXTURE_CUBE_MAP,y);for(let ee=0;ee<6;ee++)if(y.mipmaps.length>0)for(let ne=0;ne<y.mipmaps.length;ne++)Ct(W.__webglFramebuffer[ee][ne],R,y,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+ee,ne);else Ct(W.__webglFramebuffer[ee],R,y,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+ee,0);T(y)?M(i.TEXTURE_CUBE_MAP):y.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,y.mipmaps.length-1),t.unbindTexture()}else if(ve){for(let ee=0,ne=re.length;ee<ne;ee++){let fe=re[ee],U=n.get(fe),se=i.TEXTURE_2D;(R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(se=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),t.bindTexture(se,U.__webglTexture),ht(se,fe),Ct(W.__webglFramebuffer,R,fe,i.COLOR_ATTACHMENT0+ee,se,0),T(fe)&&M(se)}t.unbindTexture()}else{let ee=i.TEXTURE_2D;if((R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(ee=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),t.bindTexture(ee,ce.__webglTexture),ht(ee,y),y.mipmaps.length>0)for(let ne=0;ne<y.mipmaps.length;ne++)Ct(W.__webglFramebuffer[ne],R,y,i.COLOR_ATTACHMENT0,ee,ne);else Ct(W.__webglFramebuffer,R,y,i.COLOR_ATTACHMENT0,ee,0);T(y)?M(ee):y.mipmaps.length>0&&i.texParameteri(ee,i.TEXTURE_MAX_LEVEL,y.mipmaps.length-1),t.unbindTexture()}R.depthBuffer&&mn(R)}function F(R){let y=R.textures;for(let W=0,ce=y.length;W<ce;W++){let re=y[W];if(T(re)&&re.mipmapsAutoUpdate===!0){let _e=C(R),ve=n.get(re).__webglTexture;t.bindTexture(_e,ve),M(_e),t.unbindTexture()}}}let Ce=[];function Ye(R){if(R.samples>0){if(be(R)===!1){let y=R.textures,W=R.width,ce=R.height,re=i.COLOR_BUFFER_BIT,_e=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ve=n.get(R),ee=y.length>1;if(ee)for(let fe=0;fe<y.length;fe++)t.bindFramebuffer(i.FRAMEBUFFER,ve.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+fe,i.RENDERBUFFER,null),t.bindFramebuffer(i.FRAMEBUFFER,ve.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+fe,i.TEXTURE_2D,null,0);t.bindFramebuffer(i.READ_FRAMEBUFFER,ve.__webglMultisampledFramebuffer),R.texture.mipmaps.length>0?t.bindFramebuffer(i.DRAW_FRAMEBUFFER,ve.__webglFramebuffer[0]):t.bindFramebuffer(i.DRAW_FRAMEBUFFER,ve.__webglFramebuffer);for(let fe=0;fe<y.length;fe++){if(R.resolveDepthBuffer&&(R.depthBuffer&&(re|=i.DEPTH_BUFFER_BIT),R.stencilBuffer&&R.resolveStencilBuffer&&(re|=i.STENCIL_BUFFER_BIT)),ee){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,ve.__webglColorRenderbuffer[fe]);let U=n.get(y[fe]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,U,0)}i.blitFramebuffer(0,0,W,ce,0,0,W,ce,re,i.NEAREST),c===!0&&(Ce.length=0,Ce.push(i.COLOR_ATTACHMENT0+fe),R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&Ce.push(_e),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Ce))}if(t.bindFramebuffer(i.READ_FRAMEBUFFER,null),t.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),ee)for(let fe=0;fe<y.length;fe++){t.bindFramebuffer(i.FRAMEBUFFER,ve.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+fe,i.RENDERBUFFER,ve.__webglColorRenderbuffer[fe]);let U=n.get(y[fe]).__webglTexture;t.bindFramebuffer(i.FRAMEBUFFER,ve.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+fe,i.TEXTURE_2D,U,0)}t.bindFramebuffer(i.DRAW_FRAMEBUFFER,ve.__webglMultisampledFramebuffer)}else if(R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&c){let y=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[y])}}}function rt(R){return Math.min(s.maxSamples,R.samples)}function be(R){let y=n.get(R);return R.samples>0&&e.has("WEBGL_multisampled_render_to_texture")===!0&&y.__useRenderToTexture!==!1}function Lt(R){let y=o.render.frame;u.get(R)!==y&&(u.set(R,y),R.update())}function ze(R,y){let W=R.colorSpace,ce=R.format,re=R.type;return R.isCompressedTexture===!0||R.isVideoTexture===!0||W!==Go&&W!==Ss&&(gt.getTransfer(W)===wt?(ce!==Li||re!==On)&&$e("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):et("WebGLTextures: Unsupported texture color space:",W)),y}function Xe(R){return typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement?(l.width=R.naturalWidth||R.width,l.height=R.naturalHeight||R.height):typeof VideoFrame<"u"&&R instanceof VideoFrame?(l.width=R.displayWidth,l.height=R.displayHeight):(l.width=R.width,l.height=R.height),l}this.allocateTextureUnit=he,this.resetTextureUnits=j,this.getTextureUnits=ie,this.setTextureUnits=ue,this.setTexture2D=me,this.setTexture2DArray=xe,this.setTexture3D=Ae,this.setTextureCube=Me,this.rebindTextures=Jt,this.setupRenderTarget=an,this.updateRenderTargetMipmap=F,this.updateMultisampleRenderTarget=Ye,this.setupDepthRenderbuffer=mn,this.setupFrameBufferTexture=Ct,this.useMultisampledRTT=be,this.dispose=G}function tM(i,e){function t(n,s=Ss){let r,o=gt.getTransfer(s);if(n===On)return i.UNSIGNED_BYTE;if(n===nc)return i.UNSIGNED_SHORT_4_4_4_4;if(n===ic)return i.UNSIGNED_SHORT_5_5_5_1;if(n===Eu)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===Tu)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===wu)return i.BYTE;if(n===ua)return i.SHORT;if(n===Xs)return i.UNSIGNED_SHORT;if(n===tc)return i.INT;if(n===Pi)return i.UNSIGNED_INT;if(n===li)return i.FLOAT;if(n===Ii)return i.HALF_FLOAT;if(n===Au)return i.ALPHA;if(n===Ru)return i.RGB;if(n===Li)return i.RGBA;if(n===ps)return i.DEPTH_COMPONENT;if(n===ys)return i.DEPTH_STENCIL;if(n===da)return i.RED;if(n===oo)return i.RED_INTEGER;if(n===qs)return i.RG;if(n===ao)return i.RG_INTEGER;if(n===lo)return i.RGBA_INTEGER;if(n===fa||n===pa||n===ma||n===ga)if(o===wt)if(r=e.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===fa)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===pa)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===ma)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===ga)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=e.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===fa)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===pa)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===ma)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===ga)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===sc||n===rc||n===oc||n===ac)if(r=e.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===sc)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===rc)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===oc)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===ac)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===lc||n===cc||n===hc||n===uc||n===dc||n===_a||n===fc)if(r=e.get("WEBGL_compressed_texture_etc"),r!==null){if(n===lc||n===cc)return o===wt?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===hc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===uc)return r.COMPRESSED_R11_EAC;if(n===dc)return r.COMPRESSED_SIGNED_R11_EAC;if(n===_a)return r.COMPRESSED_RG11_EAC;if(n===fc)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===pc||n===mc||n===gc||n===_c||n===xc||n===vc||n===yc||n===Sc||n===Mc||n===bc||n===wc||n===Ec||n===Tc||n===Ac)if(r=e.get("WEBGL_compressed_texture_astc"),r!==null){if(n===pc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===mc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===gc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===_c)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===xc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===vc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===yc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===Sc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Mc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===bc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===wc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Ec)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Tc)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Ac)return o===wt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===Rc||n===Cc||n===Pc)if(r=e.get("EXT_texture_compression_bptc"),r!==null){if(n===Rc)return o===wt?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Cc)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===Pc)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Ic||n===Lc||n===xa||n===Dc)if(r=e.get("EXT_texture_compression_rgtc"),r!==null){if(n===Ic)return r.COMPRESSED_RED_RGTC1_EXT;if(n===Lc)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===xa)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===Dc)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===cr?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:t}}var nM=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,iM=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Yu=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new ea(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new rn({vertexShader:nM,fragmentShader:iM,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new Yt(new na(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},$u=class extends qi{constructor(e,t){super();let n=this,s=null,r=1,o=null,a="local-floor",c=1,l=null,u=null,h=null,d=null,f=null,g=null,S=typeof XRWebGLBinding<"u",m=new Yu,p={},v=t.getContextAttributes(),T=null,M=null,C=[],A=[],x=new ut,E=null,O=null,D=new Yn;D.viewport=new qt;let L=new Yn;L.viewport=new qt;let H=[D,L],V=new Jl,N=null,G=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(Q){let me=C[Q];return me===void 0&&(me=new Zr,C[Q]=me),me.getTargetRaySpace()},this.getControllerGrip=function(Q){let me=C[Q];return me===void 0&&(me=new Zr,C[Q]=me),me.getGripSpace()},this.getHand=function(Q){let me=C[Q];return me===void 0&&(me=new Zr,C[Q]=me),me.getHandSpace()};function Z(Q){let me=A.indexOf(Q.inputSource);if(me===-1)return;let xe=C[me];xe!==void 0&&(xe.update(Q.inputSource,Q.frame,l||o),xe.dispatchEvent({type:Q.type,data:Q.inputSource}))}function z(){s.removeEventListener("select",Z),s.removeEventListener("selectstart",Z),s.removeEventListener("selectend",Z),s.removeEventListener("squeeze",Z),s.removeEventListener("squeezestart",Z),s.removeEventListener("squeezeend",Z),s.removeEventListener("end",z),s.removeEventListener("inputsourceschange",le);for(let Q=0;Q<C.length;Q++){let me=A[Q];me!==null&&(A[Q]=null,C[Q].disconnect(me))}N=null,G=null,m.reset();for(let Q in p)delete p[Q];if(e.setRenderTarget(T),f=null,d=null,h=null,s=null,M=null,he.stop(),n.isPresenting=!1,e.setPixelRatio(E),e.setSize(x.width,x.height,!1),O!==null){let Q=O.camera;Q.fov=O.fov,Q.zoom=O.zoom,Q.updateProjectionMatrix(),O=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(Q){r=Q,n.isPresenting===!0&&$e("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(Q){a=Q,n.isPresenting===!0&&$e("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return l||o},this.setReferenceSpace=function(Q){l=Q},this.getBaseLayer=function(){return d!==null?d:f},this.getBinding=function(){return h===null&&S&&(h=new XRWebGLBinding(s,t)),h},this.getFrame=function(){return g},this.getSession=function(){return s},this.setSession=async function(Q){if(s=Q,s!==null){if(T=e.getRenderTarget(),s.addEventListener("select",Z),s.addEventListener("selectstart",Z),s.addEventListener("selectend",Z),s.addEventListener("squeeze",Z),s.addEventListener("squeezestart",Z),s.addEventListener("squeezeend",Z),s.addEventListener("end",z),s.addEventListener("inputsourceschange",le),v.xrCompatible!==!0&&await t.makeXRCompatible(),E=e.getPixelRatio(),e.getSize(x),S&&"createProjectionLayer"in XRWebGLBinding.prototype){let xe=null,Ae=null,Me=null;v.depth&&(Me=v.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,xe=v.stencil?ys:ps,Ae=v.stencil?cr:Pi);let Ve={colorFormat:t.RGBA8,depthFormat:Me,scaleFactor:r};h=this.getBinding(),d=h.createProjectionLayer(Ve),s.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),M=new Zn(d.textureWidth,d.textureHeight,{format:Li,type:On,depthTexture:new gs(d.textureWidth,d.textureHeight,Ae,void 0,void 0,void 0,void 0,void 0,void 0,xe),stencilBuffer:v.stencil,colorSpace:e.outputColorSpace,samples:v.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let xe={antialias:v.antialias,alpha:!0,depth:v.depth,stencil:v.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(s,t,xe),s.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),M=new Zn(f.framebufferWidth,f.framebufferHeight,{format:Li,type:On,colorSpace:e.outputColorSpace,stencilBuffer:v.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}M.isXRRenderTarget=!0,this.setFoveation(c),l=null,o=await s.requestReferenceSpace(a),he.setContext(s),he.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function le(Q){for(let me=0;me<Q.removed.length;me++){let xe=Q.removed[me],Ae=A.indexOf(xe);Ae>=0&&(A[Ae]=null,C[Ae].disconnect(xe))}for(let me=0;me<Q.added.length;me++){let xe=Q.added[me],Ae=A.indexOf(xe);if(Ae===-1){for(let Ve=0;Ve<C.length;Ve++)if(Ve>=A.length){A.push(xe),Ae=Ve;break}else if(A[Ve]===null){A[Ve]=xe,Ae=Ve;break}if(Ae===-1)break}let Me=C[Ae];Me&&Me.connect(xe)}}function J(Q,me){me===null?Q.matrixWorld.copy(Q.matrix):Q.matrixWorld.multiplyMatrices(me.matrixWorld,Q.matrix),Q.matrixWorldInverse.copy(Q.matrixWorld).invert()}this.updateCamera=function(Q){if(s===null)return;let me=Q.near,xe=Q.far;m.texture!==null&&(m.depthNear>0&&(me=m.depthNear),m.depthFar>0&&(xe=m.depthFar)),V.near=L.near=D.near=me,V.far=L.far=D.far=xe,(N!==V.near||G!==V.far)&&(s.updateRenderState({depthNear:V.near,depthFar:V.far}),N=V.near,G=V.far),V.layers.mask=Q.layers.mask|6,D.layers.mask=V.layers.mask&-5,L.layers.mask=V.layers.mask&-3;let Ae=Q.parent,Me=V.cameras;J(V,Ae);for(let Ve=0;Ve<Me.length;Ve++)J(Me[Ve],Ae);V.projectionMatrix.copy(D.projectionMatrix),V.projectionMatrixInverse.copy(D.projectionMatrixInverse),O===null&&Q.isPerspectiveCamera&&(O={camera:Q,fov:Q.fov,zoom:Q.zoom}),j(Q,V,Ae)};function j(Q,me,xe){xe===null?Q.matrix.copy(me.matrixWorld):(Q.matrix.copy(xe.matrixWorld),Q.matrix.invert(),Q.matrix.multiply(me.matrixWorld)),Q.matrix.decompose(Q.position,Q.quaternion,Q.scale),Q.updateMatrixWorld(!0),Q.projectionMatrix.copy(me.projectionMatrix),Q.projectionMatrixInverse.copy(me.projectionMatrixInverse),Q.isPerspectiveCamera&&(Q.fov=Al*2*Math.atan(1/Q.projectionMatrix.elements[5]),Q.zoom=1)}this.getCamera=function(){return V},this.getFoveation=function(){if(!(d===null&&f===null))return c},this.setFoveation=function(Q){c=Q,d!==null&&(d.fixedFoveation=Q),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=Q)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(V)},this.getCameraTexture=function(Q){return p[Q]};let ie=null;function ue(Q,me){if(u=me.getViewerPose(l||o),g=me,u!==null){let xe=u.views;f!==null&&(e.setRenderTargetFramebuffer(M,f.framebuffer),e.setRenderTarget(M));let Ae=!1;xe.length!==V.cameras.length&&(V.cameras.length=0,Ae=!0);for(let He=0;He<xe.length;He++){let ht=xe[He],at=null;if(f!==null)at=f.getViewport(ht);else{let Vt=h.getViewSubImage(d,ht);at=Vt.viewport,He===0&&(e.setRenderTargetTextures(M,Vt.colorTexture,Vt.depthStencilTexture),e.setRenderTarget(M))}let nt=H[He];nt===void 0&&(nt=new Yn,nt.layers.enable(He),nt.viewport=new qt,H[He]=nt),nt.matrix.fromArray(ht.transform.matrix),nt.matrix.decompose(nt.position,nt.quaternion,nt.scale),nt.projectionMatrix.fromArray(ht.projectionMatrix),nt.projectionMatrixInverse.copy(nt.projectionMatrix).invert(),nt.viewport.set(at.x,at.y,at.width,at.height),He===0&&(V.matrix.copy(nt.matrix),V.matrix.decompose(V.position,V.quaternion,V.scale)),Ae===!0&&V.cameras.push(nt)}let Me=s.enabledFeatures;if(Me&&Me.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&S){h=n.getBinding();let He=h.getDepthInformation(xe[0]);He&&He.isValid&&He.texture&&m.init(He,s.renderState)}if(Me&&Me.includes("camera-access")&&S){e.state.unbindTexture(),h=n.getBinding();for(let He=0;He<xe.length;He++){let ht=xe[He].camera;if(ht){let at=p[ht];at||(at=new ea,p[ht]=at);let nt=h.getCameraImage(ht);at.sourceTexture=nt}}}}for(let xe=0;xe<C.length;xe++){let Ae=A[xe],Me=C[xe];Ae!==null&&Me!==void 0&&Me.update(Ae,me,l||o)}ie&&ie(Q,me),me.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:me}),g=null}let he=new qp;he.setAnimationLoop(ue),this.setAnimationLoop=function(Q){ie=Q},this.dispose=function(){}}},sM=new It,nm=new tt;nm.set(-1,0,0,0,1,0,0,0,1);function rM(i,e){function t(m,p){m.matrixAutoUpdate===!0&&m.updateMatrix(),p.value.copy(m.matrix)}function n(m,p){p.color.getRGB(m.fogColor.value,Uu(i)),p.isFog?(m.fogNear.value=p.near,m.fogFar.value=p.far):p.isFogExp2&&(m.fogDensity.value=p.density)}function s(m,p,v,T,M){p.isNodeMaterial?p.uniformsNeedUpdate=!1:p.isMeshBasicMaterial?r(m,p):p.isMeshLambertMaterial?(r(m,p),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)):p.isMeshToonMaterial?(r(m,p),h(m,p)):p.isMeshPhongMaterial?(r(m,p),u(m,p),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)):p.isMeshStandardMaterial?(r(m,p),d(m,p),p.isMeshPhysicalMaterial&&f(m,p,M)):p.isMeshMatcapMaterial?(r(m,p),g(m,p)):p.isMeshDepthMaterial?r(m,p):p.isMeshDistanceMaterial?(r(m,p),S(m,p)):p.isMeshNormalMaterial?r(m,p):p.isLineBasicMaterial?(o(m,p),p.isLineDashedMaterial&&a(m,p)):p.isPointsMaterial?c(m,p,v,T):p.isSpriteMaterial?l(m,p):p.isShadowMaterial?(m.color.value.copy(p.color),m.opacity.value=p.opacity):p.isShaderMaterial&&(p.uniformsNeedUpdate=!1)}function r(m,p){m.opacity.value=p.opacity,p.color&&m.diffuse.value.copy(p.color),p.emissive&&m.emissive.value.copy(p.emissive).multiplyScalar(p.emissiveIntensity),p.map&&(m.map.value=p.map,t(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,t(p.alphaMap,m.alphaMapTransform)),p.bumpMap&&(m.bumpMap.value=p.bumpMap,t(p.bumpMap,m.bumpMapTransform),m.bumpScale.value=p.bumpScale,p.side===Kn&&(m.bumpScale.value*=-1)),p.normalMap&&(m.normalMap.value=p.normalMap,t(p.normalMap,m.normalMapTransform),m.normalScale.value.copy(p.normalScale),p.side===Kn&&m.normalScale.value.negate()),p.displacementMap&&(m.displacementMap.value=p.displacementMap,t(p.displacementMap,m.displacementMapTransform),m.displacementScale.value=p.displacementScale,m.displacementBias.value=p.displacementBias),p.emissiveMap&&(m.emissiveMap.value=p.emissiveMap,t(p.emissiveMap,m.emissiveMapTransform)),p.specularMap&&(m.specularMap.value=p.specularMap,t(p.specularMap,m.specularMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest);let v=e.get(p),T=v.envMap,M=v.envMapRotation;T&&(m.envMap.value=T,m.envMapRotation.value.setFromMatrix4(sM.makeRotationFromEuler(M)).transpose(),T.isCubeTexture&&T.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply(nm),m.reflectivity.value=p.reflectivity,m.ior.value=p.ior,m.refractionRatio.value=p.refractionRatio),p.lightMap&&(m.lightMap.value=p.lightMap,m.lightMapIntensity.value=p.lightMapIntensity,t(p.lightMap,m.lightMapTransform)),p.aoMap&&(m.aoMap.value=p.aoMap,m.aoMapIntensity.value=p.aoMapIntensity,t(p.aoMap,m.aoMapTransform))}function o(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,p.map&&(m.map.value=p.map,t(p.map,m.mapTransform))}function a(m,p){m.dashSize.value=p.dashSize,m.totalSize.value=p.dashSize+p.gapSize,m.scale.value=p.scale}function c(m,p,v,T){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.size.value=p.size*v,m.scale.value=T*.5,p.map&&(m.map.value=p.map,t(p.map,m.uvTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,t(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function l(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.rotation.value=p.rotation,p.map&&(m.map.value=p.map,t(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,t(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function u(m,p){m.specular.value.copy(p.specular),m.shininess.value=Math.max(p.shininess,1e-4)}function h(m,p){p.gradientMap&&(m.gradientMap.value=p.gradientMap)}function d(m,p){m.metalness.value=p.metalness,p.metalnessMap&&(m.metalnessMap.value=p.metalnessMap,t(p.metalnessMap,m.metalnessMapTransform)),m.roughness.value=p.roughness,p.roughnessMap&&(m.roughnessMap.value=p.roughnessMap,t(p.roughnessMap,m.roughnessMapTransform)),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)}function f(m,p,v){m.ior.value=p.ior,p.diffuseRoughness>0&&(m.diffuseRoughness.value=p.diffuseRoughness,p.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=p.diffuseRoughnessMap,t(p.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),p.sheen>0&&(m.sheenColor.value.copy(p.sheenColor).multiplyScalar(p.sheen),m.sheenRoughness.value=p.sheenRoughness,p.sheenColorMap&&(m.sheenColorMap.value=p.sheenColorMap,t(p.sheenColorMap,m.sheenColorMapTransform)),p.sheenRoughnessMap&&(m.sheenRoughnessMap.value=p.sheenRoughnessMap,t(p.sheenRoughnessMap,m.sheenRoughnessMapTransform))),p.clearcoat>0&&(m.clearcoat.value=p.clearcoat,m.clearcoatRoughness.value=p.clearcoatRoughness,p.clearcoatMap&&(m.clearcoatMap.value=p.clearcoatMap,t(p.clearcoatMap,m.clearcoatMapTransform)),p.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=p.clearcoatRoughnessMap,t(p.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),p.clearcoatNormalMap&&(m.clearcoatNormalMap.value=p.clearcoatNormalMap,t(p.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(p.clearcoatNormalScale),p.side===Kn&&m.clearcoatNormalScale.value.negate())),p.dispersion>0&&(m.dispersion.value=p.dispersion),p.retroreflectivity>0&&(m.retroreflectivity.value=p.retroreflectivity),p.iridescence>0&&(m.iridescence.value=p.iridescence,m.iridescenceIOR.value=p.iridescenceIOR,m.iridescenceThicknessMinimum.value=p.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=p.iridescenceThicknessMaximum,p.iridescenceMap&&(m.iridescenceMap.value=p.iridescenceMap,t(p.iridescenceMap,m.iridescenceMapTransform)),p.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=p.iridescenceThicknessMap,t(p.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),p.transmission>0&&(m.transmission.value=p.transmission,m.transmissionSamplerMap.value=v.texture,m.transmissionSamplerSize.value.set(v.width,v.height),p.transmissionMap&&(m.transmissionMap.value=p.transmissionMap,t(p.transmissionMap,m.transmissionMapTransform)),m.thickness.value=p.thickness,p.thicknessMap&&(m.thicknessMap.value=p.thicknessMap,t(p.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=p.attenuationDistance,m.attenuationColor.value.copy(p.attenuationColor)),p.anisotropy>0&&(m.anisotropyVector.value.set(p.anisotropy*Math.cos(p.anisotropyRotation),p.anisotropy*Math.sin(p.anisotropyRotation)),p.anisotropyMap&&(m.anisotropyMap.value=p.anisotropyMap,t(p.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=p.specularIntensity,m.specularColor.value.copy(p.specularColor),p.specularColorMap&&(m.specularColorMap.value=p.specularColorMap,t(p.specularColorMap,m.specularColorMapTransform)),p.specularIntensityMap&&(m.specularIntensityMap.value=p.specularIntensityMap,t(p.specularIntensityMap,m.specularIntensityMapTransform))}function g(m,p){p.matcap&&(m.matcap.value=p.matcap)}function S(m,p){let v=e.get(p).light;m.referencePosition.value.setFromMatrixPosition(v.matrixWorld),m.nearDistance.value=v.shadow.camera.near,m.farDistance.value=v.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function oM(i,e,t,n){let s={},r={};function o(v,T){let M=T.program;n.uniformBlockBinding(v,M,s[v.id])}function a(v,T){let M=s[v.id];M===void 0&&(g(v),M=c(v),s[v.id]=M,v.addEventListener("dispose",m));let C=T.program;n.updateUBOMapping(v,C);let A=e.render.frame;r[v.id]!==A&&(l(v),r[v.id]=A)}function c(v){let T=i.createBuffer(),M=v.__size,C=v.usage;return i.bindBuffer(i.UNIFORM_BUFFER,T),i.bufferData(i.UNIFORM_BUFFER,M,C),i.bindBuffer(i.UNIFORM_BUFFER,null),T}function l(v){let T=s[v.id],M=v.uniforms,C=v.__cache;i.bindBuffer(i.UNIFORM_BUFFER,T);for(let A=0,x=M.length;A<x;A++){let E=M[A];if(Array.isArray(E))for(let O=0,D=E.length;O<D;O++)u(E[O],A,O,C);else u(E,A,0,C)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function u(v,T,M,C){if(d(v,T,M,C)===!0){let A=v.__offset,x=v.value;if(Array.isArray(x)){let E=0;for(let O=0;O<x.length;O++){let D=x[O],L=S(D,!0);h(D,v.__data,E),E+=L.storage/Float32Array.BYTES_PER_ELEMENT}}else h(x,v.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,A,v.__data)}}function h(v,T,M){typeof v=="number"||typeof v=="boolean"?T[M]=v:v.isMatrix3?(T[M]=v.elements[0],T[M+1]=v.elements[1],T[M+2]=v.elements[2],T[M+3]=0,T[M+4]=v.elements[3],T[M+5]=v.elements[4],T[M+6]=v.elements[5],T[M+7]=0,T[M+8]=v.elements[6],T[M+9]=v.elements[7],T[M+10]=v.elements[8],T[M+11]=0):ArrayBuffer.isView(v)?T.set(v.subarray(0,T.length-M),M):v.toArray(T,M)}function d(v,T,M,C){let A=v.value,x=T+"_"+M;if(Array.isArray(A)){C[x]===void 0&&(C[x]=[]);let E=C[x],O=!1;for(let D=0;D<A.length;D++)f(A[D],E,D)===!0&&(O=!0);return O}return f(A,C,x)}function f(v,T,M){if(T[M]===void 0)return typeof v=="number"||typeof v=="boolean"?T[M]=v:ArrayBuffer.isView(v)?T[M]=v.slice():T[M]=v.clone(),!0;{let C=T[M];if(typeof v=="number"||typeof v=="boolean"){if(C!==v)return T[M]=v,!0}else{if(ArrayBuffer.isView(v))return!0;if(C.equals(v)===!1)return C.copy(v),!0}}return!1}function g(v){let T=v.uniforms,M=0,C=16;for(let x=0,E=T.length;x<E;x++){let O=Array.isArray(T[x])?T[x]:[T[x]];for(let D=0,L=O.length;D<L;D++){let H=O[D],V=Array.isArray(H.value)?H.value:[H.value],N=Array.isArray(T[x])||Array.isArray(H.value),G=M;for(let z=0,le=V.length;z<le;z++){let J=V[z],j=S(J,N),ie=M%C,ue=ie%j.boundary,he=ie+ue;M+=ue,he!==0&&C-he<j.storage&&(M+=C-he),z===0&&(G=M),M+=j.storage}let Z=H.type==="int"?Int32Array:H.type==="uint"?Uint32Array:Float32Array;H.__data=new Z((M-G)/Float32Array.BYTES_PER_ELEMENT),H.__offset=G}}let A=M%C;return A>0&&(M+=C-A),v.__size=M,v.__cache={},this}function S(v,T){let M={boundary:0,storage:0};return typeof v=="number"||typeof v=="boolean"?(M.boundary=4,M.storage=4):v.isVector2?(M.boundary=8,M.storage=8):v.isVector3||v.isColor?(M.boundary=16,M.storage=12):v.isVector4?(M.boundary=16,M.storage=16):v.isMatrix3?(M.boundary=16,M.storage=48):v.isMatrix4?(M.boundary=16,M.storage=64):v.isTexture?$e("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(v)?(M.boundary=16,M.storage=v.byteLength):$e("WebGLRenderer: Unsupported uniform value type.",v),T===!0&&(M.boundary=16,M.storage=Math.ceil(M.storage/16)*16),M}function m(v){let T=v.target;T.removeEventListener("dispose",m),i.deleteBuffer(s[T.id]),delete s[T.id],delete r[T.id]}function p(){for(let v in s)i.deleteBuffer(s[v]);s={},r={}}return{bind:o,update:a,dispose:p}}var aM=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),Ki=null;function lM(){return Ki===null&&(Ki=new Kr(aM,16,16,qs,Ii),Ki.name="DFG_LUT",Ki.minFilter=$n,Ki.magFilter=$n,Ki.wrapS=Xi,Ki.wrapT=Xi,Ki.generateMipmaps=!1,Ki.needsUpdate=!0),Ki}var Bc=class{constructor(e={}){let{canvas:t=pp(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:c=!0,preserveDrawingBuffer:l=!1,powerPreference:u="default",failIfMajorPerformanceCaveat:h=!1,reversedDepthBuffer:d=!1,outputBufferType:f=On}=e;this.isWebGLRenderer=!0;let g;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");g=n.getContextAttributes().alpha}else g=o;let S=f,m=new Set([lo,ao,oo]),p=new Set([On,Pi,Xs,cr,nc,ic]),v=new Uint32Array(4),T=new Int32Array(4),M={textures:[],min:[],max:[],resolution:[]},C=null,A=null,x=[],E=[],O=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=Ji,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let D=this,L=!1,H=null,V=null,N=null,G=null;this._outputColorSpace=qn;let Z=0,z=0,le=null,J=-1,j=null,ie=new qt,ue=new qt,he=null,Q=new qe(0),me=0,xe=t.width,Ae=t.height,Me=1,Ve=null,st=null,He=new qt(0,0,xe,Ae),ht=new qt(0,0,xe,Ae),at=!1,nt=new ks,Vt=new Dl,Ut=!1,on=!1,Ct=new It,bn=new X,vt=new qt,mn={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},Jt=!1;function an(){return le===null?Me:1}let F=n;function Ce(w,B){return t.getContext(w,B)}let Ye,rt,be,Lt,ze,Xe,R,y,W,ce,re,_e,ve,ee,ne,fe,U,se,te,we,ge,Se,Ge;try{let w={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:c,preserveDrawingBuffer:l,powerPreference:u,failIfMajorPerformanceCaveat:h};if("setAttribute"in t&&t.setAttribute("data-engine",`three.js r${"187"}`),t.addEventListener("webglcontextlost",Oe,!1),t.addEventListener("webglcontextrestored",je,!1),t.addEventListener("webglcontextcreationerror",Re,!1),F===null){let B="webgl2";if(F=Ce(B,w),F===null)throw Ce(B)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Ke()}catch(w){throw t.removeEventListener("webglcontextlost",Oe,!1),t.removeEventListener("webglcontextrestored",je,!1),t.removeEventListener("webglcontextcreationerror",Re,!1),et("WebGLRenderer: "+w.message),w}function Ke(){Ye=new vy(F),Ye.init(),ge=new tM(F,Ye),rt=new ly(F,Ye,e,ge),be=new QS(F,Ye),rt.reversedDepthBuffer&&d&&be.buffers.depth.setReversed(!0),V=F.createFramebuffer(),N=F.createFramebuffer(),G=F.createFramebuffer(),Lt=new My(F),ze=new kS,Xe=new eM(F,Ye,be,ze,rt,ge,Lt),R=new xy(D),y=new w_(F),Se=new oy(F,y),W=new yy(F,y,Lt,Se),ce=new wy(F,W,y,Se,Lt),se=new by(F,rt,Xe),ne=new cy(ze),re=new BS(D,R,Ye,rt,Se,ne),_e=new rM(D,ze),ve=new HS,ee=new YS(Ye),U=new ry(D,R,be,ce,g,c),fe=new jS(D,ce,rt),Ge=new oM(F,Lt,rt,be),te=new ay(F,Ye,Lt),we=new Sy(F,Ye,Lt),Lt.programs=re.programs,D.capabilities=rt,D.extensions=Ye,D.properties=ze,D.renderLists=ve,D.shadowMap=fe,D.state=be,D.info=Lt}S!==On&&(O=new Ty(S,t.width,t.height,a,s,r));let ae=new $u(D,F);this.xr=ae,this.getContext=function(){return F},this.getContextAttributes=function(){return F.getContextAttributes()},this.forceContextLoss=function(){let w=Ye.get("WEBGL_lose_context");w&&w.loseContext()},this.forceContextRestore=function(){let w=Ye.get("WEBGL_lose_context");w&&w.restoreContext()},this.getPixelRatio=function(){return Me},this.setPixelRatio=function(w){w!==void 0&&(Me=w,this.setSize(xe,Ae,!1))},this.getSize=function(w){return w.set(xe,Ae)},this.setSize=function(w,B,K=!0){if(ae.isPresenting){$e("WebGLRenderer: Can't change size while VR device is presenting.");return}xe=w,Ae=B,t.width=Math.floor(w*Me),t.height=Math.floor(B*Me),K===!0&&(t.style.width=w+"px",t.style.height=B+"px"),O!==null&&O.setSize(t.width,t.height),this.setViewport(0,0,w,B)},this.getDrawingBufferSize=function(w){return w.set(xe*Me,Ae*Me).floor()},this.setDrawingBufferSize=function(w,B,K){xe=w,Ae=B,Me=K,t.width=Math.floor(w*K),t.height=Math.floor(B*K),this.setViewport(0,0,w,B)},this.setEffects=function(w){if(S===On){et("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(w){for(let B=0;B<w.length;B++)if(w[B].isOutputPass===!0){$e("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}O.setEffects(w||[])},this.getCurrentViewport=function(w){return w.copy(ie)},this.getViewport=function(w){return w.copy(He)},this.setViewport=function(w,B,K,q){w.isVector4?He.set(w.x,w.y,w.z,w.w):He.set(w,B,K,q),be.viewport(ie.copy(He).multiplyScalar(an()).round())},this.getScissor=function(w){return w.copy(ht)},this.setScissor=function(w,B,K,q){w.isVector4?ht.set(w.x,w.y,w.z,w.w):ht.set(w,B,K,q),be.scissor(ue.copy(ht).multiplyScalar(an()).round())},this.getScissorTest=function(){return at},this.setScissorTest=function(w){be.setScissorTest(at=w)},this.setOpaqueSort=function(w){Ve=w},this.setTransparentSort=function(w){st=w},this.getClearColor=function(w){return w.copy(U.getClearColor())},this.setClearColor=function(){U.setClearColor(...arguments)},this.getClearAlpha=function(){return U.getClearAlpha()},this.setClearAlpha=function(){U.setClearAlpha(...arguments)},this.clear=function(w=!0,B=!0,K=!0){let q=0;if(w){let Y=!1;if(le!==null){let Ee=le.texture.format;Y=m.has(Ee)}if(Y){let Ee=le.texture.type,Pe=p.has(Ee),Te=U.getClearColor(),Ie=U.getClearAlpha(),ke=Te.r,Qe=Te.g,dt=Te.b;Pe?(v[0]=ke,v[1]=Qe,v[2]=dt,v[3]=Ie,F.clearBufferuiv(F.COLOR,0,v)):(T[0]=ke,T[1]=Qe,T[2]=dt,T[3]=Ie,F.clearBufferiv(F.COLOR,0,T))}else q|=F.COLOR_BUFFER_BIT}B&&(q|=F.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),K&&(q|=F.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),q!==0&&F.clear(q)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(w){w.setRenderer(this),H=w},this.dispose=function(){t.removeEventListener("webglcontextlost",Oe,!1),t.removeEventListener("webglcontextrestored",je,!1),t.removeEventListener("webglcontextcreationerror",Re,!1),U.dispose(),ve.dispose(),ee.dispose(),Xe.dispose(),ze.dispose(),R.dispose(),ce.dispose(),W.dispose(),Se.dispose(),Ge.dispose(),re.dispose(),ae.dispose(),ae.removeEventListener("sessionstart",Fa),ae.removeEventListener("sessionend",Oi),ns.stop()};function Oe(w){w.preventDefault(),Xo("WebGLRenderer: Context Lost."),L=!0}function je(){Xo("WebGLRenderer: Context Restored."),L=!1;let w=Lt.autoReset,B=fe.enabled,K=fe.autoUpdate,q=fe.needsUpdate,Y=fe.type;Ke(),Lt.autoReset=w,fe.enabled=B,fe.autoUpdate=K,fe.needsUpdate=q,fe.type=Y}function Re(w){et("WebGLRenderer: A WebGL context could not be created. Reason: ",w.statusMessage)}function ot(w){let B=w.target;B.removeEventListener("dispose",ot),Ot(B)}function Ot(w){kn(w),ze.remove(w)}function kn(w){let B=ze.get(w).programs;B!==void 0&&(B.forEach(function(K){re.releaseProgram(K)}),w.isShaderMaterial&&re.releaseShaderCache(w))}this.renderBufferDirect=function(w,B,K,q,Y,Ee){B===null&&(B=mn);let Pe=Y.isMesh&&Y.matrixWorld.determinantAffine()<0,Te=Ao(w,B,K,q,Y);be.setMaterial(q,Pe);let Ie=K.index,ke=1;if(q.wireframe===!0){if(Ie=W.getWireframeAttribute(K),Ie===void 0)return;ke=2}let Qe=K.drawRange,dt=K.attributes.position,Be=Qe.start*ke,ft=(Qe.start+Qe.count)*ke;Ee!==null&&(Be=Math.max(Be,Ee.start*ke),ft=Math.min(ft,(Ee.start+Ee.count)*ke)),Ie!==null?(Be=Math.max(Be,0),ft=Math.min(ft,Ie.count)):dt!=null&&(Be=Math.max(Be,0),ft=Math.min(ft,dt.count));let $t=ft-Be;if($t<0||$t===1/0)return;Se.setup(Y,q,Te,K,Ie);let Tt,At=te;if(Ie!==null&&(Tt=y.get(Ie),At=we,At.setIndex(Tt)),Y.isMesh)q.wireframe===!0?(be.setLineWidth(q.wireframeLinewidth*an()),At.setMode(F.LINES)):At.setMode(F.TRIANGLES);else if(Y.isLine){let gn=q.linewidth;gn===void 0&&(gn=1),be.setLineWidth(gn*an()),Y.isLineSegments?At.setMode(F.LINES):Y.isLineLoop?At.setMode(F.LINE_LOOP):At.setMode(F.LINE_STRIP)}else Y.isPoints?At.setMode(F.POINTS):Y.isSprite&&At.setMode(F.TRIANGLES);if(Y.isBatchedMesh)if(Ye.get("WEBGL_multi_draw"))At.renderMultiDraw(Y._multiDrawStarts,Y._multiDrawCounts,Y._multiDrawCount);else{let gn=Y._multiDrawStarts,Ue=Y._multiDrawCounts,ln=Y._multiDrawCount,mt=Ie?y.get(Ie).bytesPerElement:1,ss=ze.get(q).currentProgram.getUniforms();for(let cn=0;cn<ln;cn++)ss.setValue(F,"_gl_DrawID",cn),At.render(gn[cn]/mt,Ue[cn])}else if(Y.isInstancedMesh)At.renderInstances(Be,$t,Y.count);else if(K.isInstancedBufferGeometry){let gn=K._maxInstanceCount!==void 0?K._maxInstanceCount:1/0,Ue=Math.min(K.instanceCount,gn);At.renderInstances(Be,$t,Ue)}else At.render(Be,$t)};function wo(w,B,K,q){H!==null&&w.isNodeMaterial&&H.setObject(q,w),Ut===!0&&ne.setState(w,K,!1),w.transparent===!0&&w.side===In&&w.forceSinglePass===!1?(w.side=Kn,w.needsUpdate=!0,Bi(w,B,q),w.side=Ws,w.needsUpdate=!0,Bi(w,B,q),w.side=In):Bi(w,B,q)}this.compile=function(w,B,K=null){K===null&&(K=w),H!==null&&H.renderStart(w,B,K),A=ee.get(K),A.init(B),E.push(A),K.traverseVisible(function(Y){Y.isLight&&Y.layers.test(B.layers)&&(A.pushLight(Y),Y.castShadow&&A.pushShadow(Y))}),w!==K&&w.traverseVisible(function(Y){Y.isLight&&Y.layers.test(B.layers)&&(A.pushLight(Y),Y.castShadow&&A.pushShadow(Y))}),A.setupLights(),H!==null&&H.updateLights(A.state.lightsArray),on=this.localClippingEnabled,Ut=ne.init(this.clippingPlanes,on),Ut===!0&&ne.setGlobalState(this.clippingPlanes,B),H!==null&&fe.render(A.state.shadowsArray,K,B);let q=new Set;return w.traverse(function(Y){if(!(Y.isMesh||Y.isPoints||Y.isLine||Y.isSprite))return;let Ee=Y.material;if(Ee)if(Array.isArray(Ee))for(let Pe=0;Pe<Ee.length;Pe++){let Te=Ee[Pe];wo(Te,K,B,Y),q.add(Te)}else wo(Ee,K,B,Y),q.add(Ee)}),A=E.pop(),H!==null&&H.renderEnd(),q},this.compileAsync=function(w,B,K=null){let q=this.compile(w,B,K);return new Promise(Y=>{function Ee(){if(q.forEach(function(Pe){let Ie=ze.get(Pe).currentProgram;(Ie===void 0||Ie.isReady())&&q.delete(Pe)}),q.size===0){Y(w);return}setTimeout(Ee,10)}Ye.get("KHR_parallel_shader_compile")!==null?Ee():setTimeout(Ee,10)})};let vr=null;function Mh(w){vr&&vr(w)}function Fa(){ns.stop()}function Oi(){ns.start()}let ns=new qp;ns.setAnimationLoop(Mh),typeof self<"u"&&ns.setContext(self),this.setAnimationLoop=function(w){vr=w,ae.setAnimationLoop(w),w===null?ns.stop():ns.start()},ae.addEventListener("sessionstart",Fa),ae.addEventListener("sessionend",Oi),this.render=function(w,B){if(B!==void 0&&B.isCamera!==!0){et("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(L===!0)return;H!==null&&H.renderStart(w,B);let K=ae.enabled===!0&&ae.isPresenting===!0,q=O!==null&&(le===null||K)&&O.begin(D,le);if(w.matrixWorldAutoUpdate===!0&&w.updateMatrixWorld(),B.parent===null&&B.matrixWorldAutoUpdate===!0&&B.updateMatrixWorld(),ae.enabled===!0&&ae.isPresenting===!0&&(O===null||O.isCompositing()===!1)&&(ae.cameraAutoUpdate===!0&&ae.updateCamera(B),B=ae.getCamera()),w.isScene===!0&&w.onBeforeRender(D,w,B,le),A=ee.get(w,E.length),A.init(B),A.state.textureUnits=Xe.getTextureUnits(),E.push(A),Ct.multiplyMatrices(B.projectionMatrix,B.matrixWorldInverse),B.isArrayCamera?Vt.setFromArrayCamera(B):nt.setFromProjectionMatrix(Ct,gi,B.reversedDepth),on=this.localClippingEnabled,Ut=ne.init(this.clippingPlanes,on),C=ve.get(w,x.length),C.init(),x.push(C),this.info.render.frame++,ae.enabled===!0&&ae.isPresenting===!0){let Pe=D.xr.getDepthSensingMesh();Pe!==null&&is(Pe,B,-1/0,D.sortObjects)}is(w,B,0,D.sortObjects),C.finish(),H!==null&&H.updateLights(A.state.lightsArray),D.sortObjects===!0&&C.sort(Ve,st),Jt=ae.enabled===!1||ae.isPresenting===!1||ae.hasDepthSensing()===!1,Jt&&U.addToRenderList(C,w),this.info.autoReset===!0&&this.info.reset(),Ut===!0&&ne.beginShadows();let Y=A.state.shadowsArray;if(fe.render(Y,w,B),Ut===!0&&ne.endShadows(),(q&&O.hasRenderPass())===!1){let Pe=C.opaque,Te=C.transmissive;if(A.setupLights(),B.isArrayCamera){let Ie=B.cameras;if(Te.length>0)for(let ke=0,Qe=Ie.length;ke<Qe;ke++){let dt=Ie[ke];yi(Pe,Te,w,dt)}Jt&&U.render(w);for(let ke=0,Qe=Ie.length;ke<Qe;ke++){let dt=Ie[ke];Eo(C,w,dt,dt.viewport)}}else Te.length>0&&yi(Pe,Te,w,B),Jt&&U.render(w),Eo(C,w,B)}le!==null&&z===0&&(Xe.updateMultisampleRenderTarget(le),Xe.updateRenderTargetMipmap(le)),q&&O.end(D),w.isScene===!0&&w.onAfterRender(D,w,B),Se.resetDefaultState(),J=-1,j=null,E.pop(),E.length>0?(A=E[E.length-1],Xe.setTextureUnits(A.state.textureUnits),Ut===!0&&ne.setGlobalState(D.clippingPlanes,A.state.camera)):A=null,x.pop(),x.length>0?C=x[x.length-1]:C=null,H!==null&&H.renderEnd()};function is(w,B,K,q){if(w.visible===!1)return;if(w.layers.test(B.layers)){if(w.isGroup)K=w.renderOrder;else if(w.isLOD)w.autoUpdate===!0&&w.update(B);else if(w.isLight)A.pushLight(w),w.castShadow&&A.pushShadow(w);else if(w.isSprite){let Pe=B.isArrayCamera?Vt:nt;if(!w.frustumCulled||w.intersectsFrustum(Pe)){q&&vt.setFromMatrixPosition(w.matrixWorld).applyMatrix4(Ct);let Te=ce.update(w),Ie=w.material;Ie.visible&&C.push(w,Te,Ie,K,vt.z,null,B)}}else if(w.isMesh||w.isLine||w.isPoints){let Pe=B.isArrayCamera?Vt:nt;if(!w.frustumCulled||w.intersectsFrustum(Pe)){let Te=ce.update(w),Ie=w.material;if(q&&(w.boundingSphere!==void 0?(w.boundingSphere===null&&w.computeBoundingSphere(),vt.copy(w.boundingSphere.center)):(Te.boundingSphere===null&&Te.computeBoundingSphere(),vt.copy(Te.boundingSphere.center)),vt.applyMatrix4(w.matrixWorld).applyMatrix4(Ct)),Array.isArray(Ie)){let ke=Te.groups;for(let Qe=0,dt=ke.length;Qe<dt;Qe++){let Be=ke[Qe],ft=Ie[Be.materialIndex];ft&&ft.visible&&C.push(w,Te,ft,K,vt.z,Be,B)}}else Ie.visible&&C.push(w,Te,Ie,K,vt.z,null,B)}}}let Ee=w.children;for(let Pe=0,Te=Ee.length;Pe<Te;Pe++)is(Ee[Pe],B,K,q)}function Eo(w,B,K,q){let{opaque:Y,transmissive:Ee,transparent:Pe}=w;A.setupLightsView(K),Ut===!0&&ne.setGlobalState(D.clippingPlanes,K),q&&be.viewport(ie.copy(q)),Y.length>0&&Kt(Y,B,K),Ee.length>0&&Kt(Ee,B,K),Pe.length>0&&Kt(Pe,B,K),be.buffers.depth.setTest(!0),be.buffers.depth.setMask(!0),be.buffers.color.setMask(!0),be.setPolygonOffset(!1)}function yi(w,B,K,q){if((K.isScene===!0?K.overrideMaterial:null)!==null)return;if(A.state.transmissionRenderTarget[q.id]===void 0){let Be=Ye.has("EXT_color_buffer_half_float")||Ye.has("EXT_color_buffer_float");A.state.transmissionRenderTarget[q.id]=new Zn(1,1,{generateMipmaps:!0,type:Be?Ii:On,minFilter:vs,samples:Math.max(4,rt.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:gt.workingColorSpace})}let Ee=A.state.transmissionRenderTarget[q.id],Pe=q.viewport||ie;Ee.setSize(Pe.z*D.transmissionResolutionScale,Pe.w*D.transmissionResolutionScale);let Te=D.getRenderTarget(),Ie=D.getActiveCubeFace(),ke=D.getActiveMipmapLevel();D.setRenderTarget(Ee),D.getClearColor(Q),me=D.getClearAlpha(),me<1&&D.setClearColor(16777215,.5),D.clear(),Jt&&U.render(K);let Qe=D.toneMapping;D.toneMapping=Ji;let dt=q.viewport;if(q.viewport!==void 0&&(q.viewport=void 0),A.setupLightsView(q),Ut===!0&&ne.setGlobalState(D.clippingPlanes,q),Kt(w,K,q),Xe.updateMultisampleRenderTarget(Ee),Xe.updateRenderTargetMipmap(Ee),Ye.has("WEBGL_multisampled_render_to_texture")===!1){let Be=!1;for(let ft=0,$t=B.length;ft<$t;ft++){let Tt=B[ft],{object:At,geometry:gn,material:Ue,group:ln}=Tt;if(Ue.side===In&&At.layers.test(q.layers)){let mt=Ue.side;Ue.side=Kn,Ue.needsUpdate=!0,nn(At,K,q,gn,Ue,ln),Ue.side=mt,Ue.needsUpdate=!0,Be=!0}}Be===!0&&(Xe.updateMultisampleRenderTarget(Ee),Xe.updateRenderTargetMipmap(Ee))}D.setRenderTarget(Te,Ie,ke),D.setClearColor(Q,me),dt!==void 0&&(q.viewport=dt),D.toneMapping=Qe}function Kt(w,B,K){let q=B.isScene===!0?B.overrideMaterial:null;for(let Y=0,Ee=w.length;Y<Ee;Y++){let Pe=w[Y],{object:Te,geometry:Ie,group:ke}=Pe,Qe=Pe.material;Qe.allowOverride===!0&&q!==null&&(Qe=q),Te.layers.test(K.layers)&&nn(Te,B,K,Ie,Qe,ke)}}function nn(w,B,K,q,Y,Ee){H!==null&&Y.isNodeMaterial&&H.setObject(w,Y),w.onBeforeRender(D,B,K,q,Y,Ee),w.modelViewMatrix.multiplyMatrices(K.matrixWorldInverse,w.matrixWorld),w.normalMatrix.getNormalMatrix(w.modelViewMatrix),Y.onBeforeRender(D,B,K,q,w,Ee),Y.transparent===!0&&Y.side===In&&Y.forceSinglePass===!1?(Y.side=Kn,Y.needsUpdate=!0,D.renderBufferDirect(K,B,q,Y,w,Ee),Y.side=Ws,Y.needsUpdate=!0,D.renderBufferDirect(K,B,q,Y,w,Ee),Y.side=In):D.renderBufferDirect(K,B,q,Y,w,Ee),w.onAfterRender(D,B,K,q,Y,Ee)}function sn(w){let B=0;for(let K of w)K.texture!==null&&B++;return B}function Bi(w,B,K){B.isScene!==!0&&(B=mn);let q=ze.get(w),Y=A.state.lights,Ee=A.state.shadowsArray,Pe=Y.state.version,Te=re.getParameters(w,Y.state,Ee,B,K,A.state.lightProbeGridArray),Ie=re.getProgramCacheKey(Te),ke=q.programs;q.environment=w.isMeshStandardMaterial||w.isMeshLambertMaterial||w.isMeshPhongMaterial?B.environment:null,q.fog=B.fog;let Qe=w.isMeshStandardMaterial||w.isMeshLambertMaterial&&!w.envMap||w.isMeshPhongMaterial&&!w.envMap;q.envMap=R.get(w.envMap||q.environment,Qe),q.envMapRotation=q.environment!==null&&w.envMap===null?B.environmentRotation:w.envMapRotation,ke===void 0&&(w.addEventListener("dispose",ot),ke=new Map,q.programs=ke,q.programVariants=new Map);let dt=ke.get(Ie);if(dt!==void 0){if(q.currentProgram===dt&&q.lightsStateVersion===Pe)return To(w,Te),dt}else Te.uniforms=re.getUniforms(w),H!==null&&w.isNodeMaterial&&H.build(w,K,Te),w.onBeforeCompile(Te,D),dt=re.acquireProgram(Te,Ie),ke.set(Ie,dt),q.uniforms=Te.uniforms;let Be=q.uniforms;return(!w.isShaderMaterial&&!w.isRawShaderMaterial||w.clipping===!0)&&(Be.clippingPlanes=ne.uniform),To(w,Te),q.needsLights=Ts(w),q.lightsStateVersion=Pe,q.needsLights&&(Be.ambientLightColor.value=Y.state.ambient,Be.lightProbe.value=Y.state.probe,Be.sunLights.value=Y.state.sun,Be.sunLightShadows.value=Y.state.sunShadow,Be.directionalLights.value=Y.state.directional,Be.directionalLightShadows.value=Y.state.directionalShadow,Be.spotLights.value=Y.state.spot,Be.spotLightShadows.value=Y.state.spotShadow,Be.rectAreaLights.value=Y.state.rectArea,Be.ltc_1.value=Y.state.rectAreaLTC1,Be.ltc_2.value=Y.state.rectAreaLTC2,Be.pointLights.value=Y.state.point,Be.pointLightShadows.value=Y.state.pointShadow,Be.hemisphereLights.value=Y.state.hemi,Be.sunShadowMatrix.value=Y.state.sunShadowMatrix,Be.sunShadowCascade.value=Y.state.sunShadowCascade,Be.directionalShadowMatrix.value=Y.state.directionalShadowMatrix,Be.spotLightMatrix.value=Y.state.spotLightMatrix,Be.spotLightMap.value=Y.state.spotLightMap,Be.pointShadowMatrix.value=Y.state.pointShadowMatrix),q.numLightProbeGrids=sn(A.state.lightProbeGridArray),q.currentProgram=dt,q.uniformsList=null,dt}function ti(w,B,K,q,Y){let Ee=ze.get(w),Pe=Ee.currentProgram.id+","+q+","+Y,Te=Ee.programVariants.get(Pe);return Te===void 0?(Te=Bi(w,B,K),Ee.programVariants.set(Pe,Te)):(Ee.currentProgram=Te,Ee.uniformsList=null,Ee.outputColorSpace=q,Ee.toneMapping=Y),Te}function Es(w){if(w.uniformsList===null){let B=w.currentProgram.getUniforms();w.uniformsList=co.seqWithValue(B.seq,w.uniforms)}return w.uniformsList}function To(w,B){let K=ze.get(w);K.outputColorSpace=B.outputColorSpace,K.batching=B.batching,K.batchingColor=B.batchingColor,K.instancing=B.instancing,K.instancingColor=B.instancingColor,K.instancingMorph=B.instancingMorph,K.skinning=B.skinning,K.morphTargets=B.morphTargets,K.morphNormals=B.morphNormals,K.morphColors=B.morphColors,K.morphTargetsCount=B.morphTargetsCount,K.numClippingPlanes=B.numClippingPlanes,K.numIntersection=B.numClipIntersection,K.vertexAlphas=B.vertexAlphas,K.vertexTangents=B.vertexTangents,K.toneMapping=B.toneMapping}function Ao(w,B,K,q,Y){B.isScene!==!0&&(B=mn),Xe.resetTextureUnits();let Ee=B.fog,Pe=q.isMeshStandardMaterial||q.isMeshLambertMaterial||q.isMeshPhongMaterial?B.environment:null,Te=le===null?D.outputColorSpace:le.isXRRenderTarget===!0?le.texture.colorSpace:gt.workingColorSpace,Ie=q.isMeshStandardMaterial||q.isMeshLambertMaterial&&!q.envMap||q.isMeshPhongMaterial&&!q.envMap,ke=R.get(q.envMap||Pe,Ie),Qe=q.vertexColors===!0&&!!K.attributes.color&&K.attributes.color.itemSize===4,dt=!!K.attributes.tangent&&(!!q.normalMap||q.anisotropy>0),Be=!!K.morphAttributes.position,ft=!!K.morphAttributes.normal,$t=!!K.morphAttributes.color,Tt=Ji;q.toneMapped&&(le===null||le.isXRRenderTarget===!0)&&(Tt=D.toneMapping);let At=K.morphAttributes.position||K.morphAttributes.normal||K.morphAttributes.color,gn=At!==void 0?At.length:0,Ue=ze.get(q),ln=A.state.lights;if(Ut===!0&&(on===!0||w!==j)){let Rt=w===j&&q.id===J;ne.setState(q,w,Rt)}let mt=!1,ss=!1;q.version===Ue.__version?Ue.needsLights&&Ue.lightsStateVersion!==ln.state.version||Y.isBatchedMesh&&Ue.batching===!1||!Y.isBatchedMesh&&Ue.batching===!0||Y.isBatchedMesh&&Ue.batchingColor===!0&&Y._colorsTexture===null||Y.isBatchedMesh&&Ue.batchingColor===!1&&Y._colorsTexture!==null||Y.isInstancedMesh&&Ue.instancing===!1||!Y.isInstancedMesh&&Ue.instancing===!0||Y.isSkinnedMesh&&Ue.skinning===!1||!Y.isSkinnedMesh&&Ue.skinning===!0||Y.isInstancedMesh&&Ue.instancingColor===!0&&Y.instanceColor===null||Y.isInstancedMesh&&Ue.instancingColor===!1&&Y.instanceColor!==null||Y.isInstancedMesh&&Ue.instancingMorph===!0&&Y.morphTexture===null||Y.isInstancedMesh&&Ue.instancingMorph===!1&&Y.morphTexture!==null||Ue.envMap!==ke||q.fog===!0&&Ue.fog!==Ee||Ue.numClippingPlanes!==void 0&&(Ue.numClippingPlanes!==ne.numPlanes||Ue.numIntersection!==ne.numIntersection)||Ue.vertexAlphas!==Qe||Ue.vertexTangents!==dt||Ue.morphTargets!==Be||Ue.morphNormals!==ft||Ue.morphColors!==$t||Ue.morphTargetsCount!==gn||Ue.numLightProbeGrids!==sn(A.state.lightProbeGridArray)?mt=!0:(Ue.outputColorSpace!==Te||Ue.toneMapping!==Tt)&&(ss=!0):(mt=!0,Ue.__version=q.version);let cn=Ue.currentProgram;(mt===!0||ss===!0)&&(cn=ss===!0?ti(q,B,Y,Te,Tt):Bi(q,B,Y),H&&q.isNodeMaterial&&H.onUpdateProgram(q,cn,Ue));let Mr=!1,ki=!1,rs=!1,lt=cn.getUniforms(),jt=Ue.uniforms;if(be.useProgram(cn.program)&&(Mr=!0,ki=!0,rs=!0),q.id!==J&&(J=q.id,ki=!0),Mr||j!==w){be.buffers.depth.getReversed()&&w.reversedDepth!==!0&&(w._reversedDepth=!0,w.updateProjectionMatrix()),lt.setValue(F,"projectionMatrix",w.projectionMatrix),lt.setValue(F,"viewMatrix",w.matrixWorldInverse);let hn=lt.map.cameraPosition;hn!==void 0&&hn.setValue(F,bn.setFromMatrixPosition(w.matrixWorld)),rt.logarithmicDepthBuffer&&lt.setValue(F,"logDepthBufFC",2/(Math.log(w.far+1)/Math.LN2)),(q.isMeshPhongMaterial||q.isMeshToonMaterial||q.isMeshLambertMaterial||q.isMeshBasicMaterial||q.isMeshStandardMaterial||q.isShaderMaterial)&&lt.setValue(F,"isOrthographic",w.isOrthographicCamera===!0),j!==w&&(j=w,ki=!0,rs=!0)}if(Ue.needsLights&&(ln.state.sunShadowMap.length>0&&lt.setValue(F,"sunShadowMap",ln.state.sunShadowMap,Xe),ln.state.directionalShadowMap.length>0&&lt.setValue(F,"directionalShadowMap",ln.state.directionalShadowMap,Xe),ln.state.spotShadowMap.length>0&&lt.setValue(F,"spotShadowMap",ln.state.spotShadowMap,Xe),ln.state.pointShadowMap.length>0&&lt.setValue(F,"pointShadowMap",ln.state.pointShadowMap,Xe)),Y.isSkinnedMesh){lt.setOptional(F,Y,"bindMatrix"),lt.setOptional(F,Y,"bindMatrixInverse");let Rt=Y.skeleton;Rt&&(Rt.boneTexture===null&&Rt.computeBoneTexture(),lt.setValue(F,"boneTexture",Rt.boneTexture,Xe))}Y.isBatchedMesh&&(lt.setOptional(F,Y,"batchingTexture"),lt.setValue(F,"batchingTexture",Y._matricesTexture,Xe),lt.setOptional(F,Y,"batchingIdTexture"),lt.setValue(F,"batchingIdTexture",Y._indirectTexture,Xe),lt.setOptional(F,Y,"batchingColorTexture"),Y._colorsTexture!==null&&lt.setValue(F,"batchingColorTexture",Y._colorsTexture,Xe));let zn=K.morphAttributes;if((zn.position!==void 0||zn.normal!==void 0||zn.color!==void 0)&&se.update(Y,K,cn),(ki||Ue.receiveShadow!==Y.receiveShadow)&&(Ue.receiveShadow=Y.receiveShadow,lt.setValue(F,"receiveShadow",Y.receiveShadow)),(q.isMeshStandardMaterial||q.isMeshLambertMaterial||q.isMeshPhongMaterial)&&q.envMap===null&&B.environment!==null&&(jt.envMapIntensity.value=B.environmentIntensity),jt.dfgLUT!==void 0&&(jt.dfgLUT.value=lM()),ki){if(lt.setValue(F,"toneMappingExposure",D.toneMappingExposure),Ue.needsLights&&yr(jt,rs),Ee&&q.fog===!0&&_e.refreshFogUniforms(jt,Ee),_e.refreshMaterialUniforms(jt,q,Me,Ae,A.state.transmissionRenderTarget[w.id]),Ue.needsLights&&Ue.numLightProbeGrids>0){let Rt=M,hn=0;for(let Nn of A.state.lightProbeGridArray)Nn.texture!==null&&(Rt.textures[hn]=Nn.texture,Rt.min[hn]=Nn.boundingBox.min,Rt.max[hn]=Nn.boundingBox.max,Rt.resolution[hn]=Nn.resolution,hn++);for(let Nn in Rt)Rt[Nn].length=hn;jt.probesSH.value=Rt.textures,jt.probesMin.value=Rt.min,jt.probesMax.value=Rt.max,jt.probesResolution.value=Rt.resolution}co.upload(F,Es(Ue),jt,Xe)}if(q.isShaderMaterial&&q.uniformsNeedUpdate===!0&&(co.upload(F,Es(Ue),jt,Xe),q.uniformsNeedUpdate=!1),q.isSpriteMaterial&&lt.setValue(F,"center",Y.center),lt.setValue(F,"modelViewMatrix",Y.modelViewMatrix),lt.setValue(F,"normalMatrix",Y.normalMatrix),lt.setValue(F,"modelMatrix",Y.matrixWorld),q.uniformsGroups!==void 0){let Rt=q.uniformsGroups;for(let hn=0,Nn=Rt.length;hn<Nn;hn++){let Oa=Rt[hn];Ge.update(Oa,cn),Ge.bind(Oa,cn)}}return cn}function yr(w,B){w.ambientLightColor.needsUpdate=B,w.lightProbe.needsUpdate=B,w.sunLights.needsUpdate=B,w.sunLightShadows.needsUpdate=B,w.directionalLights.needsUpdate=B,w.directionalLightShadows.needsUpdate=B,w.pointLights.needsUpdate=B,w.pointLightShadows.needsUpdate=B,w.spotLights.needsUpdate=B,w.spotLightShadows.needsUpdate=B,w.rectAreaLights.needsUpdate=B,w.hemisphereLights.needsUpdate=B}function Ts(w){return w.isMeshLambertMaterial||w.isMeshToonMaterial||w.isMeshPhongMaterial||w.isMeshStandardMaterial||w.isShadowMaterial||w.isShaderMaterial&&w.lights===!0}this.getActiveCubeFace=function(){return Z},this.getActiveMipmapLevel=function(){return z},this.getRenderTarget=function(){return le},this.setRenderTargetTextures=function(w,B,K){let q=ze.get(w);q.__autoAllocateDepthBuffer=w.resolveDepthBuffer===!1,q.__autoAllocateDepthBuffer===!1&&(q.__useRenderToTexture=!1),ze.get(w.texture).__webglTexture=B,ze.get(w.depthTexture).__webglTexture=q.__autoAllocateDepthBuffer?void 0:K,q.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(w,B){let K=ze.get(w);K.__webglFramebuffer=B,K.__useDefaultFramebuffer=B===void 0},this.setRenderTarget=function(w,B=0,K=0){le=w,Z=B,z=K;let q=null,Y=!1,Ee=!1;if(w){let Te=ze.get(w);if(Te.__useDefaultFramebuffer!==void 0){be.bindFramebuffer(F.FRAMEBUFFER,Te.__webglFramebuffer),ie.copy(w.viewport),ue.copy(w.scissor),he=w.scissorTest,be.viewport(ie),be.scissor(ue),be.setScissorTest(he),J=-1;return}else if(Te.__webglFramebuffer===void 0)Xe.setupRenderTarget(w);else if(Te.__hasExternalTextures)Xe.rebindTextures(w,ze.get(w.texture).__webglTexture,ze.get(w.depthTexture).__webglTexture);else if(w.depthBuffer){let Qe=w.depthTexture;if(Te.__boundDepthTexture!==Qe){if(Qe!==null&&ze.has(Qe)&&(w.width!==Qe.image.width||w.height!==Qe.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Xe.setupDepthRenderbuffer(w)}}let Ie=w.texture;(Ie.isData3DTexture||Ie.isDataArrayTexture||Ie.isCompressedArrayTexture)&&(Ee=!0);let ke=ze.get(w).__webglFramebuffer;w.isWebGLCubeRenderTarget?(Array.isArray(ke[B])?q=ke[B][K]:q=ke[B],Y=!0):w.samples>0&&Xe.useMultisampledRTT(w)===!1?q=ze.get(w).__webglMultisampledFramebuffer:Array.isArray(ke)?q=ke[K]:q=ke,ie.copy(w.viewport),ue.copy(w.scissor),he=w.scissorTest}else ie.copy(He).multiplyScalar(Me).floor(),ue.copy(ht).multiplyScalar(Me).floor(),he=at;if(K!==0&&(q=V),be.bindFramebuffer(F.FRAMEBUFFER,q)&&be.drawBuffers(w,q),be.viewport(ie),be.scissor(ue),be.setScissorTest(he),Y){let Te=ze.get(w.texture);F.framebufferTexture2D(F.FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_CUBE_MAP_POSITIVE_X+B,Te.__webglTexture,K)}else if(Ee){let Te=B;for(let Ie=0;Ie<w.textures.length;Ie++){let ke=ze.get(w.textures[Ie]);F.framebufferTextureLayer(F.FRAMEBUFFER,F.COLOR_ATTACHMENT0+Ie,ke.__webglTexture,K,Te)}}else if(w!==null&&K!==0){let Te=ze.get(w.texture);F.framebufferTexture2D(F.FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_2D,Te.__webglTexture,K)}J=-1};function Sr(w){let B=ze.get(w);return(B.__readFormat!==w.format||B.__readType!==w.type)&&(B.__readFormat=w.format,B.__readType=w.type,B.__formatReadable=rt.textureFormatReadable(w.format),B.__typeReadable=rt.textureTypeReadable(w.type)),B}this.readRenderTargetPixels=function(w,B,K,q,Y,Ee,Pe,Te=0){if(!(w&&w.isWebGLRenderTarget)){et("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let Ie=ze.get(w).__webglFramebuffer;if(w.isWebGLCubeRenderTarget&&Pe!==void 0&&(Ie=Ie[Pe],Array.isArray(Ie)&&(Ie=Ie[0])),Ie){be.bindFramebuffer(F.FRAMEBUFFER,Ie);try{let ke=w.textures[Te],Qe=ke.format,dt=ke.type;w.textures.length>1&&F.readBuffer(F.COLOR_ATTACHMENT0+Te);let Be=Sr(ke);if(Be.__formatReadable===!1){et("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(Be.__typeReadable===!1){et("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}B>=0&&B<=w.width-q&&K>=0&&K<=w.height-Y&&F.readPixels(B,K,q,Y,ge.convert(Qe),ge.convert(dt),Ee)}finally{let ke=le!==null?ze.get(le).__webglFramebuffer:null;be.bindFramebuffer(F.FRAMEBUFFER,ke)}}},this.readRenderTargetPixelsAsync=async function(w,B,K,q,Y,Ee,Pe,Te=0){if(!(w&&w.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let Ie=ze.get(w).__webglFramebuffer;if(w.isWebGLCubeRenderTarget&&Pe!==void 0&&(Ie=Ie[Pe],Array.isArray(Ie)&&(Ie=Ie[0])),Ie)if(B>=0&&B<=w.width-q&&K>=0&&K<=w.height-Y){be.bindFramebuffer(F.FRAMEBUFFER,Ie);let ke=w.textures[Te],Qe=ke.format,dt=ke.type;w.textures.length>1&&F.readBuffer(F.COLOR_ATTACHMENT0+Te);let Be=Sr(ke);if(Be.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(Be.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let ft=F.createBuffer();F.bindBuffer(F.PIXEL_PACK_BUFFER,ft),F.bufferData(F.PIXEL_PACK_BUFFER,Ee.byteLength,F.STREAM_READ),F.readPixels(B,K,q,Y,ge.convert(Qe),ge.convert(dt),0),F.bindBuffer(F.PIXEL_PACK_BUFFER,null);let $t=le!==null?ze.get(le).__webglFramebuffer:null;be.bindFramebuffer(F.FRAMEBUFFER,$t);let Tt=F.fenceSync(F.SYNC_GPU_COMMANDS_COMPLETE,0);return F.flush(),await gp(F,Tt,4),F.bindBuffer(F.PIXEL_PACK_BUFFER,ft),F.getBufferSubData(F.PIXEL_PACK_BUFFER,0,Ee),F.bindBuffer(F.PIXEL_PACK_BUFFER,null),F.deleteBuffer(ft),F.deleteSync(Tt),Ee}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(w,B=null,K=0){let q=Math.pow(2,-K),Y=Math.floor(w.image.width*q),Ee=Math.floor(w.image.height*q),Pe=B!==null?B.x:0,Te=B!==null?B.y:0;Xe.setTexture2D(w,0),F.copyTexSubImage2D(F.TEXTURE_2D,K,0,0,Pe,Te,Y,Ee),be.unbindTexture()},this.copyTextureToTexture=function(w,B,K=null,q=null,Y=0,Ee=0){let Pe,Te,Ie,ke,Qe,dt,Be,ft,$t,Tt=w.isCompressedTexture?w.mipmaps[Ee]:w.image;if(K!==null)Pe=K.max.x-K.min.x,Te=K.max.y-K.min.y,Ie=K.isBox3?K.max.z-K.min.z:1,ke=K.min.x,Qe=K.min.y,dt=K.isBox3?K.min.z:0;else{let lt=Math.pow(2,-Y);Pe=Math.floor(Tt.width*lt),Te=Math.floor(Tt.height*lt),w.isDataArrayTexture?Ie=Tt.depth:w.isData3DTexture?Ie=Math.floor(Tt.depth*lt):Ie=1,ke=0,Qe=0,dt=0}q!==null?(Be=q.x,ft=q.y,$t=q.z):(Be=0,ft=0,$t=0);let At=ge.convert(B.format),gn=ge.convert(B.type),Ue;B.isData3DTexture?(Xe.setTexture3D(B,0),Ue=F.TEXTURE_3D):B.isDataArrayTexture||B.isCompressedArrayTexture?(Xe.setTexture2DArray(B,0),Ue=F.TEXTURE_2D_ARRAY):(Xe.setTexture2D(B,0),Ue=F.TEXTURE_2D),be.activeTexture(F.TEXTURE0),be.pixelStorei(F.UNPACK_FLIP_Y_WEBGL,B.flipY),be.pixelStorei(F.UNPACK_PREMULTIPLY_ALPHA_WEBGL,B.premultiplyAlpha),be.pixelStorei(F.UNPACK_ALIGNMENT,B.unpackAlignment);let ln=be.getParameter(F.UNPACK_ROW_LENGTH),mt=be.getParameter(F.UNPACK_IMAGE_HEIGHT),ss=be.getParameter(F.UNPACK_SKIP_PIXELS),cn=be.getParameter(F.UNPACK_SKIP_ROWS),Mr=be.getParameter(F.UNPACK_SKIP_IMAGES);be.pixelStorei(F.UNPACK_ROW_LENGTH,Tt.width),be.pixelStorei(F.UNPACK_IMAGE_HEIGHT,Tt.height),be.pixelStorei(F.UNPACK_SKIP_PIXELS,ke),be.pixelStorei(F.UNPACK_SKIP_ROWS,Qe),be.pixelStorei(F.UNPACK_SKIP_IMAGES,dt);let ki=w.isDataArrayTexture||w.isData3DTexture,rs=B.isDataArrayTexture||B.isData3DTexture;if(w.isDepthTexture){let lt=ze.get(w),jt=ze.get(B),zn=ze.get(lt.__renderTarget),Rt=ze.get(jt.__renderTarget);be.bindFramebuffer(F.READ_FRAMEBUFFER,zn.__webglFramebuffer),be.bindFramebuffer(F.DRAW_FRAMEBUFFER,Rt.__webglFramebuffer);for(let hn=0;hn<Ie;hn++)ki&&(F.framebufferTextureLayer(F.READ_FRAMEBUFFER,F.COLOR_ATTACHMENT0,ze.get(w).__webglTexture,Y,dt+hn),F.framebufferTextureLayer(F.DRAW_FRAMEBUFFER,F.COLOR_ATTACHMENT0,ze.get(B).__webglTexture,Ee,$t+hn)),F.blitFramebuffer(ke,Qe,ke+Pe,Qe+Te,Be,ft,Be+Pe,ft+Te,F.DEPTH_BUFFER_BIT,F.NEAREST);be.bindFramebuffer(F.READ_FRAMEBUFFER,null),be.bindFramebuffer(F.DRAW_FRAMEBUFFER,null)}else if(Y!==0||w.isRenderTargetTexture||ze.has(w)){let lt=ze.get(w),jt=ze.get(B);be.bindFramebuffer(F.READ_FRAMEBUFFER,N),be.bindFramebuffer(F.DRAW_FRAMEBUFFER,G);for(let zn=0;zn<Ie;zn++)ki?F.framebufferTextureLayer(F.READ_FRAMEBUFFER,F.COLOR_ATTACHMENT0,lt.__webglTexture,Y,dt+zn):F.framebufferTexture2D(F.READ_FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_2D,lt.__webglTexture,Y),rs?F.framebufferTextureLayer(F.DRAW_FRAMEBUFFER,F.COLOR_ATTACHMENT0,jt.__webglTexture,Ee,$t+zn):F.framebufferTexture2D(F.DRAW_FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_2D,jt.__webglTexture,Ee),Y!==0?F.blitFramebuffer(ke,Qe,ke+Pe,Qe+Te,Be,ft,Be+Pe,ft+Te,F.COLOR_BUFFER_BIT,F.NEAREST):rs?F.copyTexSubImage3D(Ue,Ee,Be,ft,$t+zn,ke,Qe,Pe,Te):F.copyTexSubImage2D(Ue,Ee,Be,ft,ke,Qe,Pe,Te);be.bindFramebuffer(F.READ_FRAMEBUFFER,null),be.bindFramebuffer(F.DRAW_FRAMEBUFFER,null)}else rs?w.isDataTexture||w.isData3DTexture?F.texSubImage3D(Ue,Ee,Be,ft,$t,Pe,Te,Ie,At,gn,Tt.data):B.isCompressedArrayTexture?F.compressedTexSubImage3D(Ue,Ee,Be,ft,$t,Pe,Te,Ie,At,Tt.data):F.texSubImage3D(Ue,Ee,Be,ft,$t,Pe,Te,Ie,At,gn,Tt):w.isDataTexture?F.texSubImage2D(F.TEXTURE_2D,Ee,Be,ft,Pe,Te,At,gn,Tt.data):w.isCompressedTexture?F.compressedTexSubImage2D(F.TEXTURE_2D,Ee,Be,ft,Tt.width,Tt.height,At,Tt.data):F.texSubImage2D(F.TEXTURE_2D,Ee,Be,ft,Pe,Te,At,gn,Tt);be.pixelStorei(F.UNPACK_ROW_LENGTH,ln),be.pixelStorei(F.UNPACK_IMAGE_HEIGHT,mt),be.pixelStorei(F.UNPACK_SKIP_PIXELS,ss),be.pixelStorei(F.UNPACK_SKIP_ROWS,cn),be.pixelStorei(F.UNPACK_SKIP_IMAGES,Mr),Ee===0&&B.generateMipmaps===!0&&B.mipmapsAutoUpdate===!0&&F.generateMipmap(Ue),be.unbindTexture()},this.initRenderTarget=function(w){ze.get(w).__webglFramebuffer===void 0&&Xe.setupRenderTarget(w)},this.initTexture=function(w){w.isCubeTexture?Xe.setTextureCube(w,0):w.isData3DTexture?Xe.setTexture3D(w,0):w.isDataArrayTexture||w.isCompressedArrayTexture?Xe.setTexture2DArray(w,0):Xe.setTexture2D(w,0),be.unbindTexture()},this.resetState=function(){Z=0,z=0,le=null,be.reset(),Se.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return gi}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=gt._getDrawingBufferColorSpace(e),t.unpackColorSpace=gt._getUnpackColorSpace()}};var es=`
uniform highp sampler2D dsPositionA;
uniform highp sampler2D dsPositionB;
uniform highp isampler2D dsTurnA;
uniform highp isampler2D dsTurnB;
uniform highp sampler2D dsAffine;
uniform float dsMix;
uniform bool dsHasAffine;

vec3 dsTriple(highp sampler2D from, int body) {
  ivec2 at = ivec2(3 * (body % 256), body / 256);
  return vec3(texelFetch(from, at, 0).r, texelFetch(from, at + ivec2(1, 0), 0).r, texelFetch(from, at + ivec2(2, 0), 0).r);
}

mat3 dsMatrix(vec4 q) {
  vec3 x = q.xyz;
  return mat3(
    1.0 - 2.0 * (x.y * x.y + x.z * x.z), 2.0 * (x.x * x.y + x.z * q.w), 2.0 * (x.x * x.z - x.y * q.w),
    2.0 * (x.x * x.y - x.z * q.w), 1.0 - 2.0 * (x.x * x.x + x.z * x.z), 2.0 * (x.y * x.z + x.x * q.w),
    2.0 * (x.x * x.z + x.y * q.w), 2.0 * (x.y * x.z - x.x * q.w), 1.0 - 2.0 * (x.x * x.x + x.y * x.y));
}

vec3 dsPlace(int body) {
  return body < 0 ? vec3(0.0) : mix(dsTriple(dsPositionA, body), dsTriple(dsPositionB, body), dsMix);
}

mat3 dsTurn(int body) {
  if (body < 0) return mat3(1.0);
  if (dsHasAffine) {
    ivec2 at = ivec2(9 * (body % 256), body / 256);
    mat3 rows;
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 3; j++) rows[j][k] = texelFetch(dsAffine, at + ivec2(3 * k + j, 0), 0).r;
    return rows;
  }
  ivec2 at = ivec2(body % 256, body / 256);
  vec4 a = vec4(texelFetch(dsTurnA, at, 0)) / 32767.0;
  vec4 b = vec4(texelFetch(dsTurnB, at, 0)) / 32767.0;
  // The short way round.
  return dsMatrix(normalize(mix(a, dot(a, b) < 0.0 ? -b : b, dsMix)));
}

// What turns normals when a body is sheared: the matrix of cofactors.
vec3 dsNormal(mat3 m, vec3 n) {
  return mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * n;
}
`,wa=`
attribute float dsBody;
attribute vec3 dsAt;
attribute vec4 dsWay;
`,Zu=`
attribute vec3 dsOwn;
uniform highp usampler2D dsMarks;
uniform highp usampler2D dsGroups;
uniform highp sampler2D dsHeat;
uniform int dsColoring;
uniform int dsSelected;
uniform bool dsSleepers;

vec3 dsHue(uint number) {
  float turn = fract(float(number) * 0.61803398875);
  vec3 wheel = clamp(abs(fract(turn + vec3(0.0, 0.6667, 0.3333)) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
  return mix(vec3(0.62), wheel, 0.55) * mix(0.55, 0.95, fract(float(number) * 0.381966));
}

vec3 dsWarm(float share) {
  vec3 low = mix(vec3(0.16, 0.28, 0.42), vec3(0.85, 0.62, 0.22), smoothstep(0.0, 0.5, share));
  return mix(low, vec3(0.85, 0.12, 0.06), smoothstep(0.5, 1.0, share));
}

vec3 dsPaint(int body) {
  if (body < 0) return dsColoring == 0 ? dsOwn : vec3(0.5);
  ivec2 at = ivec2(body % 256, body / 256);
  uvec2 groups = texelFetch(dsGroups, at, 0).rg;
  vec3 color = dsOwn;
  if (dsColoring == 1) color = groups.r == 65535u ? vec3(0.5) : dsHue(groups.r);
  if (dsColoring == 2) color = groups.g == 65535u ? vec3(0.5) : dsHue(groups.g + 3u);
  if (dsColoring == 3) color = dsWarm(texelFetch(dsHeat, at, 0).r);
  uint marks = texelFetch(dsMarks, at, 0).r;
  if (dsSleepers && (marks & 1u) != 0u) color = mix(vec3(dot(color, vec3(0.3, 0.6, 0.1))), vec3(0.35, 0.42, 0.55), 0.6) * 0.6;
  if ((marks & 2u) != 0u) color = mix(color, vec3(0.45, 0.75, 0.95), 0.6);
  if ((marks & 4u) != 0u) color = vec3(0.8, 0.1, 0.7);
  return body == dsSelected ? mix(color, vec3(1.0, 0.62, 0.12), 0.55) : color;
}
`;function Ea(i,e,t={}){return i.onBeforeCompile=n=>{Object.assign(n.uniforms,e);let s=t.color?Zu+`varying vec3 dsPainted;
`:"",r=t.ground?`varying vec3 dsWorld;
`:"";n.vertexShader=n.vertexShader.replace("#include <common>",`#include <common>
${es}${wa}${s}${r}`).replace("#include <beginnormal_vertex>","vec3 objectNormal = dsNormal(dsTurn(int(dsBody)), dsMatrix(dsWay) * normal);").replace("#include <begin_vertex>",`
        vec3 transformed = dsPlace(int(dsBody)) + dsTurn(int(dsBody)) * (dsAt + dsMatrix(dsWay) * position);
        ${t.color?"dsPainted = dsPaint(int(dsBody));":""}
        ${t.ground?"dsWorld = transformed;":""}`),t.color&&(n.fragmentShader=n.fragmentShader.replace("#include <common>",`#include <common>
varying vec3 dsPainted;`).replace("#include <color_fragment>","diffuseColor.rgb *= dsPainted;")),t.ground&&(n.fragmentShader=n.fragmentShader.replace("#include <common>",`#include <common>
${cM}`).replace("#include <color_fragment>","diffuseColor.rgb = dsGround(diffuseColor.rgb);"))},i.customProgramCacheKey=()=>`drystone ${JSON.stringify(t)}`,i}var cM=`
varying vec3 dsWorld;
uniform vec3 dsUp;
uniform vec3 dsOrigin;
uniform vec3 dsLine;
uniform float dsSpacing;

float dsLines(vec2 at, float spacing) {
  vec2 p = at / spacing;
  vec2 width = max(fwidth(p), vec2(1e-6));
  vec2 near = abs(fract(p - 0.5) - 0.5) / width;
  float fade = clamp(1.0 - 4.0 * max(width.x, width.y), 0.0, 1.0);
  return (1.0 - min(min(near.x, near.y), 1.0)) * fade;
}

vec3 dsGround(vec3 color) {
  vec3 a = normalize(cross(dsUp, abs(dsUp.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
  vec3 whole = dsWorld + dsOrigin;
  vec2 at = vec2(dot(whole, a), dot(whole, cross(dsUp, a)));
  float lines = max(0.35 * dsLines(at, dsSpacing), 0.75 * dsLines(at, 5.0 * dsSpacing));
  return mix(color, dsLine, lines);
}
`;function im(){let e=[[0,0],[.03,0],[.03,.72],[.09,.72],[0,1]],t=[],n=[];for(let[r,o]of e)for(let a=0;a<8;a++){let c=2*Math.PI*a/8;t.push(r*Math.cos(c),r*Math.sin(c),o)}for(let r=0;r+1<e.length;r++)for(let o=0;o<8;o++){let[a,c]=[r*8+o,r*8+(o+1)%8];n.push(a,c,a+8,c,c+8,a+8)}let s=new Jn;return s.setAttribute("position",new Xt(t,3)),s.setIndex(n),s}var sm=`
uniform float dsReach;
uniform float dsThick;
vec3 dsAim(vec3 start, vec3 along) {
  float size = length(along);
  float reach = dsReach * size;
  vec3 z = size > 0.0 ? along / size : vec3(0.0, 0.0, 1.0);
  vec3 x = normalize(cross(abs(z.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0), z));
  float thick = min(reach, dsThick);
  return start + reach * position.z * z + thick * (position.x * x + position.y * cross(z, x));
}
`,hM=`
uniform vec3 dsInk;
void main() {
  gl_FragColor = vec4(dsInk, 1.0);
  #include <colorspace_fragment>
}
`;function rm(i,e,t){let n={dsReach:{value:1},dsThick:{value:1},dsInk:{value:new qe(t)}};return{material:new rn({uniforms:{...e,...n},vertexShader:i,fragmentShader:hM,depthTest:!1,transparent:!0}),own:n}}var Hc=class{constructor(){this.group=new tn,this.data=new _s(new Float32Array(8),8),this.arrows=this.make(im(),`
      attribute vec3 dsPoint;
      attribute vec3 dsForce;
      ${sm}
      void main() { gl_Position = projectionMatrix * viewMatrix * vec4(dsAim(dsPoint, dsForce), 1.0); }`,13983232);let e=new Jn;e.copy(new ta(1,1)),this.dots=this.make(e,`
      attribute vec3 dsPoint;
      uniform float dsReach;
      uniform float dsThick;
      void main() { gl_Position = projectionMatrix * viewMatrix * vec4(dsPoint + 0.22 * dsThick * position, 1.0); }`,16777215),this.dots.own.dsInk.value.set(14922561),this.count=0}make(e,t,n){let{material:s,own:r}=rm(t,{},n),o=new Yt(e,s);return o.frustumCulled=!1,o.renderOrder=5,e.instanceCount=0,this.group.add(o),{geometry:e,own:r,mesh:o}}take(e){if(this.count=e?.shown??0,e&&this.data.array.length<e.data.length){this.data=new _s(new Float32Array(2*e.data.length),8),this.data.setUsage(hr);for(let t of[this.arrows,this.dots])t.geometry.dispose(),t.geometry=t.mesh.geometry=t.geometry.clone()}for(let{geometry:t}of[this.arrows,this.dots])t.setAttribute("dsPoint",new ms(this.data,3,0)),t.setAttribute("dsForce",new ms(this.data,3,3)),t.instanceCount=this.count;e&&(this.data.array.set(e.data),this.data.needsUpdate=!0)}scale(e,t){for(let{own:n}of[this.arrows,this.dots])n.dsReach.value=e,n.dsThick.value=t}},Gc=class{constructor(e,t){let n=im();n.setAttribute("dsCom",new $i(e.com,3)),n.instanceCount=e.count;let{material:s,own:r}=rm(`
      ${es}
      attribute vec3 dsCom;
      uniform highp sampler2D dsVelocities;
      ${sm}
      void main() {
        vec3 start = dsPlace(gl_InstanceID) + dsTurn(gl_InstanceID) * dsCom;
        gl_Position = projectionMatrix * viewMatrix * vec4(dsAim(start, dsTriple(dsVelocities, gl_InstanceID)), 1.0);
      }`,t,29362);this.own=r,this.mesh=new Yt(n,s),this.mesh.frustumCulled=!1,this.mesh.renderOrder=4}scale(e,t){this.own.dsReach.value=e,this.own.dsThick.value=t}};function Vc(i,e){let t=e.length,n=new Float32Array(t),s=new Float32Array(3*t),r=new Float32Array(4*t),o=new Float32Array(3*t),a=new qe;for(let c=0;c<t;c++){let l=e[c];n[c]=i.body[l],s.set(i.at.subarray(7*l,7*l+3),3*c),r.set(i.at.subarray(7*l+3,7*l+7),4*c);let[u,h,d]=i.color.subarray(3*l,3*l+3);a.setRGB(u,h,d,qn).toArray(o,3*c)}return{count:t,arrays:{dsBody:[n,1],dsAt:[s,3],dsWay:[r,4],dsOwn:[o,3]}}}function Wc(i,e){for(let[t,[n,s]]of Object.entries(e.arrays))i.setAttribute(t,new $i(n,s));i.instanceCount=e.count}function om(i){let e=new Map;for(let t=0;t<i.count;t++){let n=2*i.mesh[t]+i.ground[t];e.has(n)||e.set(n,{mesh:i.mesh[t],ground:i.ground[t]===1,chosen:[]}),e.get(n).chosen.push(t)}return[...e.values()]}function Xc(i){let e=0;for(let t=0;t<i.length;t+=3)e=Math.max(e,Math.hypot(i[t],i[t+1],i[t+2]));return e}function am(i,e,t,{older:n,newer:s,between:r},{origin:o,direction:a},c){let l=[],u=[0,0,0];for(let h=0;h<e.length;h++){let d=e[h],f=i.body[d],g=7*d;for(let T=0;T<3;T++)u[T]=f<0?i.at[g+T]:n[3*f+T]+r*(s[3*f+T]-n[3*f+T]);let S=t+(f<0?0:Math.hypot(i.at[g],i.at[g+1],i.at[g+2])),m=Is(u,o),p=Qn(m,a),v=S+c*Math.max(0,p+S);p>-S&&Qn(m,m)-p*p<=v*v&&l.push(d)}return l}function cm(i){if(i.length<180)return null;let e=Math.hypot(i[0],i[1],i[2]);for(let t=0;t<i.length;t+=3)if(Math.abs(Math.hypot(i[t],i[t+1],i[t+2])-e)>.001*e)return null;return e}var uM=`
  uniform float dsRadius;
  varying vec3 dsCentre;
  varying vec3 dsRay;
  varying vec3 dsPainted;
  flat varying vec3 dsId;
  void main() {
    int body = int(dsBody);
    vec3 centre = (viewMatrix * vec4(dsPlace(body) + dsTurn(body) * dsAt, 1.0)).xyz;
    dsPainted = dsPaint(body);
    int id = body + 1;
    dsId = vec3(float(id & 255), float((id >> 8) & 255), float((id >> 16) & 255)) / 255.0;
    // The quad faces the eye and covers the ball's outline, which is wider than the ball where it is near.
    vec3 away = normalize(centre);
    vec3 side = normalize(cross(away, vec3(0.0, 1.0, 0.0)));
    float far = max(length(centre), 1.001 * dsRadius);
    float reach = dsRadius * far / sqrt(max(far * far - dsRadius * dsRadius, 1e-12));
    dsRay = centre + reach * (position.x * side + position.y * cross(side, away));
    dsCentre = centre;
    gl_Position = projectionMatrix * vec4(dsRay, 1.0);
  }`,dM=`
  uniform float dsRadius;
  uniform mat4 dsProjection;
  varying vec3 dsCentre;
  varying vec3 dsRay;
  varying vec3 dsPainted;
  flat varying vec3 dsId;
  vec3 dsMeet() {
    vec3 d = normalize(dsRay);
    float along = dot(d, dsCentre);
    float under = along * along - dot(dsCentre, dsCentre) + dsRadius * dsRadius;
    if (under < 0.0) discard;
    vec3 at = d * (along - sqrt(under));
    vec4 clip = dsProjection * vec4(at, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    return at;
  }`;function hm(i,e,t){let n=lm(i),s={...t,dsRadius:{value:e},dsProjection:{value:new It}},r=l=>new rn({uniforms:s,vertexShader:es+wa+Zu+uM,fragmentShader:dM+l,side:In}),o=r(`
    uniform mat4 viewMatrix;
    uniform vec3 dsLight;
    uniform vec3 dsUp;
    void main() {
      vec3 normal = normalize(dsMeet() - dsCentre);
      vec3 light = normalize((viewMatrix * vec4(dsLight, 0.0)).xyz);
      vec3 up = normalize((viewMatrix * vec4(dsUp, 0.0)).xyz);
      float shade = 0.45 + 0.2 * dot(normal, up) + 0.6 * max(dot(normal, light), 0.0);
      gl_FragColor = vec4(dsPainted * shade, 1.0);
      #include <colorspace_fragment>
    }`.replace("uniform mat4 viewMatrix;","")),a=(l,u)=>{let h=new Yt(l,u);return h.frustumCulled=!1,h.onBeforeRender=(d,f,g)=>s.dsProjection.value.copy(g.projectionMatrix),h},c=r("void main() { dsMeet(); gl_FragColor = vec4(dsId, 1.0); }");return{solid:a(n,o),ids:a(n,c),idsOf:l=>a(lm(l),c)}}function lm(i){let e=new Jn;return e.setAttribute("position",new Ft(new Float32Array([-1,-1,0,1,-1,0,1,1,0,-1,1,0]),3)),e.setIndex([0,1,2,0,2,3]),Wc(e,i),e}var um={graphics:2e4,software:1e3};function pm(i,e,t){let n=fM(e),s=t?um.software:um.graphics,r=new tn,o=new tn,a=new tn,c=[];for(let{mesh:l,ground:u,chosen:h}of om(i.parts)){let d=i.meshes[l],f=Vc(i.parts,h),g={chosen:h,ground:u,reach:Xc(d.positions)},S=h.length>=s&&!u?cm(d.positions):null;if(S!==null){let v=hm(f,S,e);r.add(v.solid),a.add(v.ids),c.push({...g,idsOf:v.idsOf});continue}let m=dm(d,f),p=u?n.groundId:n.id;r.add(pM(m,u?n.ground:n.solid,u?null:n.depth,u)),a.add(fm(m,p)),c.push({...g,idsOf:v=>fm(dm(d,v),p)}),!u&&d.triangles.length<6e4&&o.add(mM(d,m,n.edge))}return{solid:r,edges:o,ids:a,kins:c,materials:n}}function fM(i){let e=t=>new rn({uniforms:i,vertexShader:`${es}${wa}
      flat varying vec3 dsId;
      void main() {
        vec3 at = dsPlace(int(dsBody)) + dsTurn(int(dsBody)) * (dsAt + dsMatrix(dsWay) * position);
        int id = ${t};
        dsId = vec3(float(id & 255), float((id >> 8) & 255), float((id >> 16) & 255)) / 255.0;
        gl_Position = projectionMatrix * viewMatrix * vec4(at, 1.0);
      }`,fragmentShader:`flat varying vec3 dsId;
void main() { gl_FragColor = vec4(dsId, 1.0); }`,blending:xs,side:In});return{solid:Ea(new eo,i,{color:!0}),ground:Ea(new eo({side:In}),i,{ground:!0}),depth:Ea(new to({depthPacking:Cu}),i),edge:Ea(new Zi({transparent:!0,opacity:.75}),i),id:e("dsBody < 0.0 ? 0xfffffe : int(dsBody) + 1"),groundId:e("0xffffff")}}function dm(i,e){let t=new Jn;return t.setAttribute("position",new Ft(i.positions,3)),t.setAttribute("normal",new Ft(i.normals,3)),t.setIndex(new Ft(i.triangles,1)),Wc(t,e),t}function pM(i,e,t,n){let s=new Yt(i,e);return t&&(s.customDepthMaterial=t),s.castShadow=!n,s.receiveShadow=!0,s.frustumCulled=!1,s}function fm(i,e){let t=new Yt(i,e);return t.frustumCulled=!1,t}function mM(i,e,t){let n=new _n;n.setAttribute("position",new Ft(i.positions,3)),n.setIndex(new Ft(i.triangles,1));let s=new rr(n,12),r=new Jn;r.setAttribute("position",s.getAttribute("position"));for(let a of["dsBody","dsAt","dsWay","dsOwn"])r.setAttribute(a,e.getAttribute(a));r.instanceCount=e.instanceCount;let o=new Ci(r,t);return o.frustumCulled=!1,o}var gM=16777213,_M=-2,xM=16777214;var qc=class{constructor(e){this.stage=e,this.scene=new sr,this.target=new Zn(1,1)}at(e,t){let{stage:n}=this,s=n.panes().find(l=>e>=l.x&&e<l.x+l.width);if(!s)return-1;let r=n.canvas.clientHeight;n.aim(s.width/r);let o=n.orbit.ray(2*(e-s.x+.5)/s.width-1,1-2*(t+.5)/r),a=this.near(s,o,2*Math.tan(n.orbit.opening/2)/r),[c]=this.read(s,1,1,a,s.width/r,()=>n.camera.setViewOffset(s.width,r,e-s.x,t,1,1));return a.children.forEach(l=>l.geometry.dispose()),c===gM?_M:c===0||c>=xM?-1:c-1}near(e,t,n){let{scene:s,bodies:r,between:o}=this.stage,{poses:a}=e.drawn,[c,l]=[1-a.newest,a.newest].map(h=>a.positions[h].image.data),u=new tn;for(let{chosen:h,ground:d,reach:f,idsOf:g}of r.kins){let m=d||a.hasAffine?h:am(s.parts,h,f,{older:c,newer:l,between:o},t,n);m.length&&u.add(g(Vc(s.parts,m)))}return u}whole(e,t){return this.read(this.stage.panes()[0],e,t,this.stage.bodies.ids,e/t,()=>{})}read(e,t,n,s,r,o){let{stage:a,target:c,scene:l}=this,{renderer:u,camera:h}=a;c.setSize(t,n),a.aim(r),o(),h.updateMatrixWorld(),e.drawn.poses.bind(a.uniforms,a.between),l.clear(),l.add(s,e.drawn.soft.ids);let d=u.getClearColor(new qe),f=u.getClearAlpha();u.setRenderTarget(c),u.setClearColor(0,0),u.clear(),u.render(l,h);let g=new Uint8Array(4*t*n);return u.readRenderTargetPixels(c,0,0,t,n,g),u.setRenderTarget(null),u.setClearColor(d,f),h.clearViewOffset(),Uint32Array.from({length:t*n},(S,m)=>g[4*m]|g[4*m+1]<<8|g[4*m+2]<<16)}};var vM=`
varying vec3 dsTint;
void main() {
  gl_FragColor = vec4(dsTint, 1.0);
  #include <colorspace_fragment>
}
`,mm=[[.84,.37,0],[0,.54,.4],[0,.45,.7]];function Zc(i,e){return i.frustumCulled=!1,i.renderOrder=e,i}function gm(i,e){return new rn({uniforms:e,vertexShader:i,fragmentShader:vM,depthTest:!1,transparent:!0})}function _m(i,e,t){let n=new Jn,s=[],r=[];for(let h=0;h<3;h++){let d=[0,0,0];d[h]=1,s.push(0,0,0,...d),r.push(...mm[h],...mm[h])}n.setAttribute("position",new Xt(s,3)),n.setAttribute("dsTone",new Xt(r,3));let o=[],a=[],c=[],l=[];for(let h of i){let d=[0,0,0];for(let{axis:f}of h.axes??[])d["xyz".indexOf(f.at(-1))]=1;[h.parent,h.child].forEach((f,g)=>{let S=h.at[g]??h.at[0];o.push(f??-1),a.push(...S.slice(0,3)),c.push(...S.slice(3,7)),l.push(...d.map(m=>t*(1+(g===0?1.6*m:0))))})}for(let[h,d,f]of[["dsBody",o,1],["dsAt",a,3],["dsWay",c,4],["dsReach",l,3]])n.setAttribute(h,new $i(new Float32Array(d),f));n.instanceCount=o.length;let u=gm(`
    ${es}
    attribute float dsBody;
    attribute vec3 dsAt;
    attribute vec4 dsWay;
    attribute vec3 dsReach;
    attribute vec3 dsTone;
    varying vec3 dsTint;
    void main() {
      dsTint = dsTone;
      vec3 at = dsAt + dsMatrix(dsWay) * (dsReach * position);
      gl_Position = projectionMatrix * viewMatrix * vec4(dsPlace(int(dsBody)) + dsTurn(int(dsBody)) * at, 1.0);
    }`,e);return Zc(new Ci(n,u),6)}function xm(i,e){let t=new Jn;t.setAttribute("position",new Xt([-1,-1,0,1,-1,0,1,1,0,-1,1,0],3)),t.setIndex([0,1,2,0,2,3]),t.setAttribute("dsCom",new $i(i.com,3)),t.instanceCount=i.count;let n=new rn({uniforms:e,depthTest:!1,transparent:!0,vertexShader:`
      ${es}
      attribute vec3 dsCom;
      uniform float dsPixels;
      varying vec2 dsCorner;
      void main() {
        dsCorner = position.xy;
        gl_Position = projectionMatrix * viewMatrix * vec4(dsPlace(gl_InstanceID) + dsTurn(gl_InstanceID) * dsCom, 1.0);
        float aspect = projectionMatrix[0][0] / projectionMatrix[1][1];
        gl_Position.xy += 5.0 * dsPixels * gl_Position.w * vec2(aspect, 1.0) * position.xy;
      }`,fragmentShader:`
      varying vec2 dsCorner;
      void main() {
        float away = length(dsCorner);
        if (away > 1.0) discard;
        bool dark = dsCorner.x * dsCorner.y > 0.0 || away > 0.86;
        gl_FragColor = vec4(vec3(dark ? 0.08 : 0.97), 1.0);
      }`});return Zc(new Yt(t,n),7)}var Yc=class{constructor(){let e=new rr(new zs(1,1,1).translate(.5,.5,.5));this.geometry=new Jn,this.geometry.setAttribute("position",e.getAttribute("position")),this.geometry.instanceCount=0,this.data=new _s(new Float32Array(6),6);let t=gm(`
      attribute vec3 dsLow;
      attribute vec3 dsHigh;
      varying vec3 dsTint;
      void main() {
        dsTint = vec3(0.66, 0.46, 0.0);
        gl_Position = projectionMatrix * viewMatrix * vec4(mix(dsLow, dsHigh, position), 1.0);
      }`,{});t.depthTest=!0,this.object=Zc(new Ci(this.geometry,t),3)}take(e){e&&this.data.array.length<e.length&&(this.data=new _s(new Float32Array(e.length),6),this.data.setUsage(hr),this.geometry.dispose(),this.geometry=this.object.geometry=this.geometry.clone()),this.geometry.setAttribute("dsLow",new ms(this.data,3,0)),this.geometry.setAttribute("dsHigh",new ms(this.data,3,3)),this.geometry.instanceCount=(e?.length??0)/6,e&&(this.data.array.set(e),this.data.needsUpdate=!0)}},$c=class{constructor(){let e=new _n;e.setAttribute("position",new Ft(new Float32Array(6),3)),this.object=Zc(new jr(e,new Zi({color:13983232,depthTest:!1,transparent:!0})),8),this.object.visible=!1}take(e){if(this.object.visible=!!e,!e)return;let t=this.object.geometry.getAttribute("position");t.array.set(e),t.needsUpdate=!0}};function Jc(i,e,t,n,s,r,o=1){let a=Math.max(1,Math.ceil(i/256)),c=new t(256*a*e),l=new Kr(c,256*o,a,n,s);return l.internalFormat=r,l.magFilter=l.minFilter=fn,l.unpackAlignment=1,l.needsUpdate=!0,l}var uo=(i,e)=>Jc(i,e,Float32Array,da,li,"R32F",e),Kc=class{constructor(e){this.bodies=e,this.positions=[uo(e,3),uo(e,3)],this.turns=[0,1].map(()=>Jc(e,4,Int16Array,lo,ua,"RGBA16I"));for(let t of this.turns)t.image.data.fill(0);this.affine=uo(1,9),this.hasAffine=!1,this.velocities=uo(e,3),this.marks=Jc(e,1,Uint8Array,oo,On,"R8UI"),this.groups=Jc(e,2,Uint16Array,ao,Xs,"RG16UI"),this.heat=uo(e,1),this.newest=0,this.filled=0,this.marked=!1}take(e,t){e.positions&&e.turns&&(this.newest=1-this.newest,Ms(this.positions[this.newest],e.positions),Ms(this.turns[this.newest],e.turns),(t||this.filled===0)&&(Ms(this.positions[1-this.newest],e.positions),Ms(this.turns[1-this.newest],e.turns)),this.filled+=1),this.hasAffine=!!e.affine,e.affine&&(this.affine.image.data.length<e.affine.length&&(this.affine.dispose(),this.affine=uo(this.bodies,9)),Ms(this.affine,e.affine)),e.marks?Ms(this.marks,e.marks):this.marked&&Ms(this.marks,new Uint8Array(this.bodies)),this.marked=!!e.marks,e.groups&&Ms(this.groups,e.groups),e.velocities&&Ms(this.velocities,e.velocities)}bind(e,t){e.dsPositionA.value=this.positions[1-this.newest],e.dsPositionB.value=this.positions[this.newest],e.dsTurnA.value=this.turns[1-this.newest],e.dsTurnB.value=this.turns[this.newest],e.dsAffine.value=this.affine,e.dsHasAffine.value=this.hasAffine,e.dsMarks.value=this.marks,e.dsGroups.value=this.groups,e.dsHeat.value=this.heat,e.dsVelocities.value=this.velocities,e.dsMix.value=t}place(e){let t=this.positions[this.newest].image.data;return[t[3*e],t[3*e+1],t[3*e+2]]}dispose(){for(let e of[...this.positions,...this.turns,this.affine,this.velocities,this.marks,this.groups,this.heat])e.dispose()}};function Ms(i,e){let t=i.image.data;t.set(e.length>t.length?e.subarray(0,t.length):e),i.needsUpdate=!0}function vm(){return{...Object.fromEntries(["dsPositionA","dsPositionB","dsTurnA","dsTurnB","dsAffine","dsMarks","dsGroups","dsHeat","dsVelocities"].map(e=>[e,{value:null}])),dsMix:{value:1},dsHasAffine:{value:!1},dsColoring:{value:0},dsSelected:{value:-2},dsSleepers:{value:!0},dsUp:{value:new X(0,0,1)},dsOrigin:{value:new X},dsLine:{value:new qe},dsSpacing:{value:1},dsPixels:{value:1}}}var ym=new rn({side:In,vertexShader:"void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",fragmentShader:"void main() { gl_FragColor = vec4(253.0 / 255.0, 1.0, 1.0, 1.0); }"}),jc=class{constructor(e){this.group=new tn,this.scene=e,this.position=new Ft(new Float32Array(0),3),this.objects=[],this.ids=new tn}take(e){e&&(this.position.array.length!==e.length&&this.build(e.length),this.position.array.set(e),this.position.needsUpdate=!0)}build(e){this.dispose(),this.position=new Ft(new Float32Array(e),3),this.position.setUsage(hr);let{cloth:t,tets:n,strings:s}=this.scene,r=o=>new ia({color:o,roughness:.85,side:In,flatShading:!0});t.length&&this.add(new Yt(this.share(t),r(6000056))),n.length&&this.add(new Yt(this.share(n),r(13073789))),s.length&&this.add(new Ci(this.share(s),new Zi({color:9067051}))),this.objects.length||this.add(new Ko(this.share(null),new Qr({color:6000056,size:4,sizeAttenuation:!1})))}share(e){let t=new _n;return t.setAttribute("position",this.position),e&&t.setIndex(new Ft(e,1)),t}add(e){e.frustumCulled=!1,e.castShadow=e.receiveShadow=!!e.isMesh,this.objects.push(e),this.group.add(e);let t=e.isMesh?new Yt(e.geometry,ym):new Ci(e.geometry,ym);t.frustumCulled=!1,e.isPoints||this.ids.add(t)}wire(e){for(let t of this.objects)t.isMesh&&(t.material.wireframe=e)}dispose(){for(let e of this.objects)e.geometry.dispose(),e.material.dispose(),this.group.remove(e);this.objects=[],this.ids.clear()}};var Qc=class{constructor(e){this.poses=new Kc(Math.max(1,e.bodies.count)),this.contacts=new Hc,this.boxes=new Yc,this.hand=new $c,this.soft=new jc(e),this.group=new tn,this.group.add(this.contacts.group,this.boxes.object,this.hand.object,this.soft.group),this.shown={shown:0,all:0}}take(e,t){this.poses.take(e,t),this.contacts.take(e.contacts),this.boxes.take(e.bounds),this.hand.take(e.held),this.soft.take(e.particles),this.shown=e.contacts??{shown:0,all:0}}heat(e,t){let n=this.poses.heat.image.data;if(n.fill(0),e.contacts&&e.depths){let{bodies:s,shown:r}=e.contacts;for(let o=0;o<r;o++){let a=e.depths[o]/t;for(let c of[s[8*o+6],s[8*o+7]])c>=0&&(n[c]=Math.max(n[c],a))}}this.poses.heat.needsUpdate=!0}dispose(){this.poses.dispose(),this.soft.dispose()}};var yM={shadows:!0,wireframe:!1,shapes:!1,contacts:!1,joints:!1,masses:!1,velocities:!1,bounds:!1,sleepers:!0,ground:!0},SM=["own","islands","colours","heat"],MM=.001,Sm=[.45,-.55,1],eh=class{constructor(e,t){this.canvas=e,this.orbit=t,this.renderer=new Bc({canvas:e,antialias:!0}),this.renderer.shadowMap.enabled=!0,this.renderer.shadowMap.type=or,this.renderer.autoClear=!1,this.software=wM(this.renderer.getContext()),this.world=new sr,this.camera=new Yn,this.camera.matrixAutoUpdate=!1,this.uniforms={...vm(),dsLight:{value:new X(...Sm)}},this.sky=new oa(16777215,8947848,1.5),this.sun=new ca(16777215,2.2),this.sun.castShadow=!0,this.sun.shadow.mapSize.setScalar(this.software?1024:2048),this.world.add(this.sky,this.sun,this.sun.target),this.show={...yM},this.coloring="own",this.drawn=[],this.between=1,this.idBuffer=new qc(this),this.theme(!1)}theme(e){let t=new qe(e?1777702:15659508);this.world.background=t,this.world.fog=new $o(t,1,1e3),this.floor=new qe(e?2764856:14673128),this.uniforms.dsLine.value.set(e?4871006:11845062),this.sky.color.set(e?14674162:16777215),this.sky.groundColor.set(e?3817286:10133670),this.sky.intensity=e?1.1:1.5,this.sun.intensity=e?1.9:2.2,this.bodies&&this.bodies.materials.ground.color.copy(this.floor),this.bodies&&this.bodies.materials.edge.color.set(e?15264493:1711393),this.dark=e}load(e,t){this.clear();let{head:n}=e;this.head=n,this.scene=e,this.orbit.up=n.up,this.orbit.aspect=this.canvas.clientWidth/Math.max(1,this.canvas.clientHeight),t?this.orbit.zoom((n.second?2:1)/Math.max(1,this.drawn.length)):this.orbit.begin(n.view,n.bounds),this.partSize=bM(e),this.uniforms.dsUp.value.fromArray(n.up),this.uniforms.dsOrigin.value.fromArray(n.origin??[0,0,0]),this.uniforms.dsSpacing.value=10**Math.round(Math.log10(this.orbit.radius/4)),this.bodies=pm(e,this.uniforms,this.software),this.drawn=(n.second?[0,1]:[0]).map(()=>new Qc(e)),this.velocities=new Gc(e.bodies,this.uniforms),this.joints=_m(n.joints??[],this.uniforms,.06*this.orbit.radius),this.masses=xm(e.bodies,this.uniforms),this.content=new tn,this.content.add(this.bodies.solid,this.bodies.edges,this.velocities.mesh,this.joints,this.masses,...this.drawn.map(s=>s.group)),this.world.add(this.content),this.placeSun(n.bounds,n.up),this.theme(this.dark),this.apply()}clear(){if(this.content){this.world.remove(this.content),this.content.traverse(e=>e.geometry?.dispose());for(let e of this.drawn)e.dispose();for(let e of Object.values(this.bodies.materials))e.dispose();this.content=null}}placeSun([e,t],n){let s=e.map((c,l)=>.5*(c+t[l])),r=1.5*this.orbit.radius,o=new _i().setFromUnitVectors(new X(0,0,1),new X(...n)),a=new X(...Sm).normalize().applyQuaternion(o);this.uniforms.dsLight.value.copy(a),this.sun.target.position.fromArray(s),this.sun.position.copy(a).multiplyScalar(3*r).add(this.sun.target.position),Object.assign(this.sun.shadow.camera,{left:-r,right:r,top:r,bottom:-r,near:.5*r,far:6*r}),this.sun.shadow.camera.updateProjectionMatrix(),this.sun.shadow.normalBias=.004*r,this.sun.shadow.bias=-6e-4}apply(){if(!this.bodies)return;let{show:e}=this;this.sun.castShadow=e.shadows,this.bodies.materials.solid.wireframe=e.wireframe,this.bodies.edges.visible=e.shapes,this.bodies.solid.children.forEach(s=>{s.material===this.bodies.materials.ground&&(s.visible=e.ground)}),this.velocities.mesh.visible=e.velocities,this.joints.visible=e.joints,this.masses.visible=e.masses,this.uniforms.dsSleepers.value=e.sleepers,this.uniforms.dsColoring.value=SM.indexOf(this.coloring);for(let s of this.drawn)s.contacts.group.visible=e.contacts,s.boxes.object.visible=e.bounds,s.soft.wire(e.wireframe);let t=this.orbit.radius;this.velocities.scale(.1*t/Math.sqrt(9.81*t),.08*t);let n=this.typicalForce();for(let s of this.drawn)s.contacts.scale(.25*t/n,.05*t)}typicalForce(){let e=this.scene.bodies.mass.filter(n=>n>0&&Number.isFinite(n)).sort(),t=Math.hypot(...this.head.gravity??[0,0,-9.81])||9.81;return(e[e.length>>1]??1)*t*Math.max(1,Math.cbrt(e.length))}take(e,t){[e.state,e.second].forEach((n,s)=>{let r=this.drawn[s];!n||!r||(r.take(n,t),this.coloring==="heat"&&r.heat(n,MM*this.orbit.radius))})}resize(){let{clientWidth:e,clientHeight:t}=this.canvas;this.renderer.setPixelRatio(this.software?1:Math.min(devicePixelRatio,2)),this.renderer.setSize(e,t,!1),this.uniforms.dsPixels.value=2/Math.max(t,1)}panes(){let e=this.canvas.clientWidth/Math.max(1,this.drawn.length);return this.drawn.map((t,n)=>({x:n*e,width:e,drawn:t}))}aim(e){let{orbit:t,camera:n}=this;t.aspect=e;let{eye:s,forward:r,right:o,up:a}=t.frame();n.fov=t.opening*180/Math.PI,n.aspect=e,n.near=Math.max(.02*t.distance-.02*t.radius,.004*Math.min(t.distance,t.radius)),n.far=t.distance+60*t.radius,n.updateProjectionMatrix(),n.matrix.makeBasis(new X(...o),new X(...a),new X(...r).negate()),n.matrix.setPosition(...s),n.matrixWorldNeedsUpdate=!0,this.world.fog.near=t.distance+4*t.radius,this.world.fog.far=t.distance+22*t.radius}draw(){let{renderer:e}=this,t=this.canvas.clientHeight;e.setScissorTest(!0);for(let{x:n,width:s,drawn:r}of this.panes()){e.setViewport(n,0,s,t),e.setScissor(n,0,s,t),this.aim(s/Math.max(t,1)),r.poses.bind(this.uniforms,this.between);for(let o of this.drawn)o.group.visible=o===r;e.clear(),e.render(this.world,this.camera)}e.setScissorTest(!1)}};function bM({meshes:i,parts:e}){let t=i.map(({positions:r})=>Xc(r)),n=0,s=0;for(let r=0;r<e.count;r++)e.body[r]<0||(n+=t[e.mesh[r]],s+=1);return s?n/s:0}function wM(i){let e=i.getExtension("WEBGL_debug_renderer_info"),t=e?String(i.getParameter(e.UNMASKED_RENDERER_WEBGL)):"";return/swiftshader|llvmpipe|software/i.test(t)}var Ku=[[" ","toggle","play or pause"],[".","step","one step on"],[",","back","one step back"],["+","faster","faster"],["-","slower","slower"],["r","reset","begin anew"],["f","fit","see everything"],["c","follow","follow the selected body"],["b","throw","throw a ball from the eye"],["p","push","push the selected body away"],["n","next","select the next body"],["Delete","delete","delete the selected body"],["z","freeze","freeze or thaw the selected body"],["w","wake","wake the selected body"],["Escape","deselect","select nothing"],["s","screenshot","keep a picture"]],th=Math.PI/24;function Mm(i,e,t,n){let s={ArrowLeft:r=>r?e.pan(.05,0):e.turn(-th,0),ArrowRight:r=>r?e.pan(-.05,0):e.turn(th,0),ArrowUp:r=>r?e.pan(0,.05):e.turn(0,th),ArrowDown:r=>r?e.pan(0,-.05):e.turn(0,-th),PageUp:()=>e.zoom(.8333333333333334),PageDown:()=>e.zoom(1.2)};i.addEventListener("keydown",r=>{if(r.ctrlKey||r.metaKey||r.altKey)return;if(s[r.key]){s[r.key](r.shiftKey),n(),r.preventDefault();return}let o=r.key==="="?"+":r.key.length===1?r.key.toLowerCase():r.key,a=Ku.find(([c])=>c===o);a&&(t[a[1]](),r.preventDefault())})}var bm=89.5*Math.PI/180,wm=.88,EM=16/9,ju=Math.PI/180,nh=class{constructor(){this.up=[0,0,1],this.target=[0,0,0],this.distance=5,this.azimuth=0,this.elevation=.3,this.opening=.6,this.aspect=16/9,this.radius=1}outward(){let e=za(this.up),t=Pr(this.up,e),n=Wn(Zt(e,Math.cos(this.azimuth)),Zt(t,Math.sin(this.azimuth)));return Wn(Zt(n,Math.cos(this.elevation)),Zt(this.up,Math.sin(this.elevation)))}frame(){let e=this.outward(),t=Zt(e,-1),n=Lo(Pr(t,this.up));return{eye:Wn(this.target,Zt(e,this.distance)),forward:t,right:n,up:Pr(n,t)}}ray(e,t){let{eye:n,forward:s,right:r,up:o}=this.frame(),a=Math.tan(this.opening/2),c=Lo(Wn(s,Wn(Zt(r,e*a*this.aspect),Zt(o,t*a))));return{origin:n,direction:c}}onPlane(e,t,n){let{origin:s,direction:r}=this.ray(e,t),{forward:o}=this.frame(),a=Qn(Is(n,s),o)/Qn(r,o);return Wn(s,Zt(r,a))}turn(e,t){this.azimuth+=e,this.elevation=Math.max(-bm,Math.min(bm,this.elevation+t))}pan(e,t){let{right:n,up:s}=this.frame(),r=2*this.distance*Math.tan(this.opening/2);this.target=Wn(this.target,Wn(Zt(n,-e*r),Zt(s,t*r)))}zoom(e){this.distance=Math.max(.001*this.radius,Math.min(200*this.radius,this.distance*e))}look(e,t){let n=Is(e,t);this.target=t,this.distance=Lh(n)||1;let s=za(this.up),r=Pr(this.up,s);this.elevation=Math.asin(Math.max(-1,Math.min(1,Qn(Lo(n),this.up)))),this.azimuth=Math.atan2(Qn(n,r),Qn(n,s))}fit([e,t]){let{forward:n,right:s,up:r}=this.frame(),o=Math.tan(this.opening/2),a=[0,1,2,3,4,5,6,7].map(m=>[0,1,2].map(p=>(m>>p&1?t:e)[p])),c=(m,p)=>{let v=C=>Math.max(...a.map(A=>C*Qn(m,A)-p*Qn(n,A))),[T,M]=[v(1),v(-1)];return[.5*(T-M),-.5*(T+M)/p]},[l,u]=c(s,wm*o*this.aspect),[h,d]=c(r,wm*o),f=Zt(Wn(e,t),.5),g=Math.min(u,d),S=Math.max(Qn(n,f)-g,.001);this.target=Wn(Wn(Zt(s,l),Zt(r,h)),Zt(n,g+S)),this.distance=S}begin(e,t){let[n,s]=t;if(this.radius=Math.max(...Is(s,n).map(d=>.5*d),.001),e?.opening&&(this.opening=e.opening*ju),e?.eye){this.look(e.eye,e.target??Zt(Wn(n,s),.5)),this.distance*=Math.max(1,EM/this.aspect);return}let r=za(this.up),o=Pr(this.up,r),a=Is(s,n),c=d=>Math.abs(Qn(a,d)),l=c(r)>=c(o)*(1-1e-9),u=(e?.azimuth??29)*ju;this.azimuth=l?-Math.PI/2+u:u;let h=c(this.up)/Math.max(c(r),c(o),1e-9);this.elevation=e?.elevation==null?.52-.3*Math.min(h,1):e.elevation*ju,this.fit(t)}};function Em(i,e,t){let n=new Map,s=null,r=c=>{let l=i.getBoundingClientRect();return{x:c.clientX-l.left,y:c.clientY-l.top}};i.addEventListener("pointerdown",c=>{i.focus({preventScroll:!0}),i.setPointerCapture(c.pointerId);let l=r(c);if(n.set(c.pointerId,l),n.size>1){s?.kind==="hold"&&t.release(),s={kind:"pan",start:l,travelled:5,body:-1};return}let u=t.bodyAt(l.x,l.y),h=c.button!==0||c.shiftKey,d=!h&&u!==-1&&!c.altKey&&t.mayGrab();s={kind:h?"pan":d?"hold":"turn",start:l,travelled:0,body:u},d&&t.grab(l.x,l.y)}),i.addEventListener("pointermove",c=>{let l=n.get(c.pointerId);if(!l||!s)return;let u=r(c),h=i.clientHeight,[d,f]=[u.x-l.x,u.y-l.y];s.travelled+=Math.hypot(d,f),n.size===2?o(c.pointerId,l,u,h):s.kind==="hold"?t.drag(u.x,u.y):s.kind==="pan"?e.pan(d/h,f/h):e.turn(-d/h*Math.PI,f/h*Math.PI),n.set(c.pointerId,u),t.moved()});function o(c,l,u,h){let d=[...n.entries()].find(([g])=>g!==c)?.[1];if(!d)return;let f=g=>Math.max(10,Math.hypot(g.x-d.x,g.y-d.y));e.zoom(f(l)/f(u)),e.pan((u.x-l.x)/2/h,(u.y-l.y)/2/h)}let a=c=>{!n.delete(c.pointerId)||!s||(s.kind==="hold"&&t.release(),s.travelled<5&&c.type==="pointerup"&&t.select(Math.max(-1,s.body)),n.size===0&&(s=null))};i.addEventListener("pointerup",a),i.addEventListener("pointercancel",a),i.addEventListener("contextmenu",c=>c.preventDefault()),i.addEventListener("wheel",c=>{c.preventDefault();let l=c.deltaMode===1?16:1;e.zoom(Math.exp(Math.max(-200,Math.min(200,c.deltaY*l))*.0015)),t.moved()},{passive:!1})}function Tm({session:i,stage:e,loop:t}){let{orbit:n}=e,s=null,r=!1,o=Promise.resolve(),a=null,c=(u,h)=>{let d=e.panes().find(f=>u>=f.x&&u<f.x+f.width)??e.panes()[0];return[2*(u-d.x)/d.width-1,1-2*h/e.canvas.clientHeight]},l=async()=>{if(!a||!s||!r)return;let[u,h]=a;a=null,await i.do("drag",{target:n.onPlane(u,h,s)})};return{bodyAt:(u,h)=>e.content?e.idBuffer.at(u,h):-1,select:u=>i.select(u),mayGrab:()=>i.scene?.head.can?.drag!==!1,moved:()=>t.touch(),grab:(u,h)=>{let{origin:d,direction:f}=n.ray(...c(u,h));r=!0,o=o.then(async()=>{s=(await i.do("grab",{origin:d,direction:f}))?.point??null})},drag:(u,h)=>{let d=a!==null;a=c(u,h),d||(o=o.then(l))},release:()=>{o=o.then(async()=>{await l(),r=!1,a=null,s&&await i.do("release"),s=null})}}}var ih=class{constructor(e,t){this.stage=e,this.session=t,this.dirty=!0,this.arrived=0,this.interval=0,this.last=-1,this.costs=[],this.pictures=0,this.after=new Set,t.addEventListener("frame",({detail:s})=>this.take(s)),t.addEventListener("scene",()=>{this.last=-1,this.touch()});let n=s=>{requestAnimationFrame(n),this.draw(s)};requestAnimationFrame(n)}touch(){this.dirty=!0}take(e){let t=performance.now(),n=t-this.arrived,r=!(e.step>this.last&&this.last>=0)||n>250||!this.session.report?.playing;this.interval=r?0:.7*this.interval+.3*n,this.arrived=t,this.last=e.step,this.fresh=!0,this.stage.take(e,r),this.touch()}draw(e){if(!this.dirty||!this.stage.content)return;let t=this.interval>0?Math.min(1,(e-this.arrived)/this.interval):1;this.stage.between=Math.max(0,t),this.dirty=t<1;let n=performance.now();this.follow(),this.stage.draw(),this.costs.push(performance.now()-n),this.costs.length>120&&this.costs.shift(),this.pictures+=1,this.fresh&&this.session.transport.drawn(this.last),this.fresh=!1;for(let s of this.after)s()}follow(){let{stage:e,session:t}=this;if(!this.following||t.selected<0){this.anchor=null;return}let n=e.drawn[0].poses.place(t.selected);this.anchor&&(e.orbit.target=e.orbit.target.map((s,r)=>s+n[r]-this.anchor[r])),this.anchor=n}};function Am(i,e){for(let[s,r]of[["reset","reset"],["back","back"],["play","toggle"],["step","step"],["slower","slower"],["faster","faster"],["throw","throw"],["fit","fit"]])Ze(s).addEventListener("click",e[r]);let t=Ze("timeline"),n=TM(i,t);i.addEventListener("frame",()=>AM(i,t,n)),i.addEventListener("report",({detail:s})=>RM(s,t,n)),i.addEventListener("scene",({detail:s})=>{let{can:r={},steps:o}=s.scene.head,a=r.seek??!0;Ze("back").disabled=t.disabled=!a,Ze("throw").disabled=r.edit===!1,o&&([t.min,t.max]=o.map(String))})}function TM(i,e){let t={held:!1},n=null,s=!1,r=async()=>{if(n=Number(e.value),!s){for(s=!0,t.held=!0,i.report?.playing&&await i.do("pause");n!==null;){let o=n;n=null,await i.do("seek",{step:o})}s=!1,t.held=!1}};return e.addEventListener("input",r),t}function AM(i,e,t){Ze("clock").textContent=`${i.time.toFixed(2)} s · ${i.step}`,i.step>Number(e.max)&&(e.max=String(i.step)),t.held||(e.value=String(i.step)),e.setAttribute("aria-valuetext",`step ${i.step}, ${i.time.toFixed(2)} seconds`)}function RM(i,e,t){let{playing:n}=i;Ze("play-icon").setAttribute("href",n?"#i-pause":"#i-play"),Ze("play").setAttribute("aria-label",n?"Pause":"Play"),Ze("speed").textContent=i.speed===0?"max":`${i.speed}×`,Ze("rate").textContent=n&&i.rate?`${Math.round(i.rate)} steps/s`:"",i.steps&&!t.held&&([e.min,e.max]=i.steps.map(String))}var CM=300;function Rm(i,e){let t=pe("p",{className:"soft"},"Click a body, or press N on the scene, to see everything known of it. Drag it to pull at it."),n=pe("h3",{}),s=pe("table",{}),o=[["Push","push"],["Freeze or thaw","freeze"],["Wake","wake"],["Delete","delete"],["Follow","follow"]].map(([h,d])=>bi(h,e[d])),a=pe("div",{hidden:!0},n,pe("div",{className:"buttons"},...o),s);Ze("body").append(t,a),i.addEventListener("following",({detail:h})=>o[4].setAttribute("aria-pressed",String(h)));let c=Ze("part-body"),l=!1,u=async()=>{let h=i.body;if(!(l||h===null||!c.open||document.hidden)){l=!0;try{let d=await i.transport.json(`body?id=${h}`);i.body===h&&PM(d,n,s)}catch(d){s.replaceChildren(pe("caption",{},d.message))}l=!1}};i.addEventListener("selected",({detail:h})=>{t.hidden=h>=0,a.hidden=h<0,h>=0&&(c.open=!0),s.replaceChildren(),n.textContent=h>=0?i.scene?.bodies.names[h]||`body ${i.body}`:"",u()}),c.addEventListener("toggle",u),setInterval(u,CM)}function PM(i,e,t){i.name&&(e.textContent=i.name);let n=Object.entries(i).filter(([s])=>s!=="name").flatMap(([s,r])=>Cm(s.replaceAll("_"," "),r));t.replaceChildren(pe("tbody",{},...n.map(([s,r])=>pe("tr",{},pe("th",{scope:"row"},s),pe("td",{},r)))))}function Cm(i,e){if(Array.isArray(e)&&e.length===0)return[[i,"none"]];if(Array.isArray(e)&&e.every(t=>typeof t=="string"))return[[i,e.filter(Boolean).join(", ")||String(e.length)]];if(Array.isArray(e)&&e.every(t=>typeof t=="number"))return[[i,e.map(Rn).join(", ")]];if(Array.isArray(e)){let t=e.slice(0,6).flatMap((n,s)=>Cm(`${i} ${s+1}`,n));return[[i,String(e.length)],...t]}return e&&typeof e=="object"?[[i,Object.entries(e).map(([t,n])=>`${t.replaceAll("_"," ")} ${Qu(n)}`).join(", ")]]:typeof e=="boolean"?[[i,e?"yes":"no"]]:[[i,Rn(e)]]}function Qu(i){return Array.isArray(i)?`(${i.map(Qu).join(", ")})`:i&&typeof i=="object"?Object.values(i).map(Qu).join(" "):typeof i=="boolean"?i?"yes":"no":Rn(i)}function Pm(i){let e=["x","y","z"].map(o=>pe("input",{type:"number",step:"any",aria:{label:`gravity ${o} in m/s²`}})),t=()=>{let o=e.map(a=>Number(a.value));o.every(Number.isFinite)&&i.do("gravity",{value:o})};e.forEach(o=>o.addEventListener("change",t));let n=ed("Friction",0,3,.05,o=>i.do("friction",{factor:o}),o=>`${Rn(o)} × the scene's`),s=pe("input",{type:"number",min:"0.0001",max:"0.1",step:"any"});s.addEventListener("change",()=>i.do("dt",{seconds:Number(s.value)}));let r=[pe("fieldset",{className:"plain"},pe("legend",{},"Gravity [m/s²]"),pe("div",{className:"three"},...e)),n.row,pi("Time step [s]",s)];s.dataset.key="dt",n.input.dataset.key="friction",e.forEach((o,a)=>{o.dataset.key=`gravity-${a}`}),Ze("world").append(...r),i.addEventListener("settings",({detail:o})=>{let a=i.scene?.head.can?.edit!==!1,c=(l,u)=>{l!==document.activeElement&&(l.value=u)};(o.gravity??[]).forEach((l,u)=>c(e[u],String(l))),n.set(o.friction??1),c(s,String(Number(o.dt.toPrecision(6))));for(let l of[...e,n.input,s])l.disabled=!a})}function ed(i,e,t,n,s,r=Rn){let o=pe("input",{type:"range",min:String(e),max:String(t),step:String(n)}),a=pe("output",{}),c=pe("span",{},i);o.setAttribute("aria-label",i);let l=()=>{a.textContent=r(Number(o.value))};o.addEventListener("input",()=>{l(),s(Number(o.value))});let u=h=>{o.value=String(h),l()};return{row:pe("div",{className:"slide"},c,a,o),input:o,set:u}}var IM=60;function Im(i){let e=Ze("joints");i.addEventListener("scene",({detail:t})=>{let s=(t.scene.head.joints??[]).flatMap(a=>(a.axes??[]).filter(({drive:c})=>c).map(c=>({joint:a,axis:c})));if(Ze("part-joints").hidden=s.length===0,!s.length)return;let r=s.slice(0,IM).map(({joint:a,axis:c})=>LM(i,a,c)),o=s.length-r.length;e.replaceChildren(...r,...o>0?[pe("p",{className:"soft"},`and ${o} more`)]:[])})}function LM(i,e,{axis:t,limits:n,target:s}){let r=t.startsWith("ang"),o=r?Math.PI:1,a=n?.every(d=>d!==null&&Number.isFinite(d)&&Math.abs(d)<1e6),[c,l]=a?n:[-o,o],u=d=>r?`${Rn(d*180/Math.PI)}°`:`${Rn(d)} m`,h=ed(`${e.name||`joint ${e.id}`} ${t.replace("_"," ")}`,c,l,(l-c)/200,d=>i.do("joint",{joint:e.id,axis:t,target:d}),u);return h.set(s??0),h.input.disabled=i.scene?.head.can?.edit===!1,h.row}function Lm({session:i,stage:e},t){let n=pe("code",{}),s=async(a,c)=>{try{Do(new Blob([await i.transport.bytes(a)]),c())}catch(l){i.tell("note",l.message)}},r=a=>()=>`${i.scene?.head.scene??"drystone"}-${i.step}.${a}`,o=bi("Record",()=>i.do("record",{on:!i.report?.recording}));o.setAttribute("aria-pressed","false"),Ze("keep").append(pe("div",{className:"buttons"},bi("Picture",t.screenshot),DM(e,i)),pe("div",{className:"buttons"},o,bi("Save recording",()=>s("recording",r("npz")))),pe("div",{className:"buttons"},bi("Save checkpoint",()=>s("checkpoint",r("checkpoint"))),bi("Save log",()=>s("log",r("jsonl")))),pe("p",{className:"soft"},"The log repeats all that was done bit for bit: drystone view --repeat FILE. It is the best bug report."),pe("p",{className:"soft"},"Bits of the state: ",n)),i.addEventListener("report",({detail:a})=>{n.textContent=`${a.hash??"–"} at step ${a.step}`,o.setAttribute("aria-pressed",String(!!a.recording))})}function DM(i,e){let t=null,n=bi("Film",()=>{if(t){t.stop();return}let r=["video/webm;codecs=vp9","video/webm;codecs=vp8","video/webm","video/mp4"].find(a=>globalThis.MediaRecorder?.isTypeSupported(a));if(!r){e.tell("note","This browser cannot make films; `drystone run --export film.gif` can.");return}let o=[];t=new MediaRecorder(i.canvas.captureStream(30),{mimeType:r,videoBitsPerSecond:8e6}),t.addEventListener("dataavailable",({data:a})=>o.push(a)),t.addEventListener("stop",()=>{let a=new Blob(o,{type:r});document.documentElement.dataset.film=String(a.size),Do(a,`${e.scene?.head.scene??"drystone"}.${r.includes("mp4")?"mp4":"webm"}`),t=null,n.setAttribute("aria-pressed","false"),n.textContent="Film"}),t.start(500),n.setAttribute("aria-pressed","true"),n.textContent="End film"});return n.id="film",n.setAttribute("aria-pressed","false"),n}var NM="uplot",UM="u-hz",FM="u-vt",OM="u-title",BM="u-wrap",kM="u-under",zM="u-over",HM="u-axis",mr="u-off",GM="u-select",VM="u-cursor-x",WM="u-cursor-y",XM="u-cursor-pt",qM="u-legend",YM="u-live",$M="u-inline",ZM="u-series",JM="u-marker",Dm="u-label",KM="u-value",Aa="width",Ra="height";var Nm="bottom",fo="left",td="right",xd="#000",Um=xd+"0",nd="mousemove",Fm="mousedown",id="mouseup",Om="mouseenter",Bm="mouseleave",km="dblclick",jM="resize",QM="scroll",zm="change",lh="dppxchange",vd="--",yo=typeof window<"u",ld=yo?document:null,mo=yo?window:null,eb=yo?navigator:null,bt,sh;function cd(){let i=devicePixelRatio;bt!=i&&(bt=i,sh&&ud(zm,sh,cd),sh=matchMedia(`(min-resolution: ${bt-.001}dppx) and (max-resolution: ${bt+.001}dppx)`),gr(zm,sh,cd),mo.dispatchEvent(new CustomEvent(lh)))}function ci(i,e){if(e!=null){let t=i.classList;!t.contains(e)&&t.add(e)}}function hd(i,e){let t=i.classList;t.contains(e)&&t.remove(e)}function Gt(i,e,t){i.style[e]=t+"px"}function Di(i,e,t,n){let s=ld.createElement(i);return e!=null&&ci(s,e),t?.insertBefore(s,n),s}function xi(i,e){return Di("div",i,e)}var Hm=new WeakMap;function ts(i,e,t,n,s){let r="translate("+e+"px,"+t+"px)",o=Hm.get(i);r!=o&&(i.style.transform=r,Hm.set(i,r),e<0||t<0||e>n||t>s?ci(i,mr):hd(i,mr))}var Gm=new WeakMap;function Vm(i,e,t){let n=e+t,s=Gm.get(i);n!=s&&(Gm.set(i,n),i.style.background=e,i.style.borderColor=t)}var Wm=new WeakMap;function Xm(i,e,t,n){let s=e+""+t,r=Wm.get(i);s!=r&&(Wm.set(i,s),i.style.height=t+"px",i.style.width=e+"px",i.style.marginLeft=n?-e/2+"px":0,i.style.marginTop=n?-t/2+"px":0)}var yd={passive:!0},tb={...yd,capture:!0};function gr(i,e,t,n){e.addEventListener(i,t,n?tb:yd)}function ud(i,e,t,n){e.removeEventListener(i,t,yd)}yo&&cd();function Ni(i,e,t,n){let s;t=t||0,n=n||e.length-1;let r=n<=2147483647;for(;n-t>1;)s=r?t+n>>1:hi((t+n)/2),e[s]<i?t=s:n=s;return i-e[t]<=e[n]-i?t:n}function vg(i){return(t,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(t[a])){r=a;break}for(let a=s;a>=n;a--)if(i(t[a])){o=a;break}return[r,o]}}var yg=i=>i!=null,Sg=i=>i!=null&&i>0,uh=vg(yg),nb=vg(Sg);function ib(i,e,t,n=0,s=!1){let r=s?nb:uh,o=s?Sg:yg;[e,t]=r(i,e,t);let a=i[e],c=i[e];if(e>-1)if(n==1)a=i[e],c=i[t];else if(n==-1)a=i[t],c=i[e];else for(let l=e;l<=t;l++){let u=i[l];o(u)&&(u<a?a=u:u>c&&(c=u))}return[a??Dt,c??-Dt]}function dh(i,e,t,n){let s=$m(i),r=$m(e);i==e&&(s==-1?(i*=t,e/=t):(i/=t,e*=t));let o=t==10?bs:Mg,a=s==1?hi:vi,c=r==1?vi:hi,l=a(o(Sn(i))),u=c(o(Sn(e))),h=go(t,l),d=go(t,u);return t==10&&(l<0&&(h=Nt(h,-l)),u<0&&(d=Nt(d,-u))),n||t==2?(i=h*s,e=d*r):(i=Tg(i,h),e=fh(e,d)),[i,e]}function Sd(i,e,t,n){let s=dh(i,e,t,n);return i==0&&(s[0]=0),e==0&&(s[1]=0),s}var Md=.1,qm={mode:3,pad:Md},Pa={pad:0,soft:null,mode:0},sb={min:Pa,max:Pa};function ch(i,e,t,n){return ph(t)?Ym(i,e,t):(Pa.pad=t,Pa.soft=n?0:null,Pa.mode=n?3:0,Ym(i,e,sb))}function St(i,e){return i??e}function rb(i,e,t){for(e=St(e,0),t=St(t,i.length-1);e<=t;){if(i[e]!=null)return!0;e++}return!1}function Ym(i,e,t){let n=t.min,s=t.max,r=St(n.pad,0),o=St(s.pad,0),a=St(n.hard,-Dt),c=St(s.hard,Dt),l=St(n.soft,Dt),u=St(s.soft,-Dt),h=St(n.mode,0),d=St(s.mode,0),f=e-i,g=bs(f),S=jn(Sn(i),Sn(e)),m=bs(S),p=Sn(m-g);(f<1e-24||p>10)&&(f=0,(i==0||e==0)&&(f=1e-24,h==2&&l!=Dt&&(r=0),d==2&&u!=-Dt&&(o=0)));let v=f||S||1e3,T=bs(v),M=go(10,hi(T)),C=v*(f==0?i==0?.1:1:r),A=Nt(Tg(i-C,M/10),24),x=i>=l&&(h==1||h==3&&A<=l||h==2&&A>=l)?l:Dt,E=jn(a,A<x&&i>=x?x:Ui(x,A)),O=v*(f==0?e==0?.1:1:o),D=Nt(fh(e+O,M/10),24),L=e<=u&&(d==1||d==3&&D>=u||d==2&&D<=u)?u:-Dt,H=Ui(c,D>L&&e<=L?L:jn(L,D));return E==H&&E==0&&(H=100),[E,H]}var ob=new Intl.NumberFormat(yo?eb.language:"en-US"),bd=i=>ob.format(i),ui=Math,ah=ui.PI,Sn=ui.abs,hi=ui.floor,yn=ui.round,vi=ui.ceil,Ui=ui.min,jn=ui.max,go=ui.pow,$m=ui.sign,bs=ui.log10,Mg=ui.log2,ab=(i,e=1)=>ui.sinh(i)*e,sd=(i,e=1)=>ui.asinh(i/e),Dt=1/0;function Zm(i){return(bs((i^i>>31)-(i>>31))|0)+1}function dd(i,e,t){return Ui(jn(i,e),t)}function bg(i){return typeof i=="function"}function _t(i){return bg(i)?i:()=>i}var lb=()=>{},wg=i=>i,Eg=(i,e)=>e,cb=i=>null,Jm=i=>!0,Km=(i,e)=>i==e,hb=/\.\d*?(?=9{6,}|0{6,})/gm,_r=i=>{if(Rg(i)||$s.has(i))return i;let e=`${i}`,t=e.match(hb);if(t==null)return i;let n=t[0].length-1;if(e.indexOf("e-")!=-1){let[s,r]=e.split("e");return+`${_r(s)}e${r}`}return Nt(i,n)};function fr(i,e){return _r(Nt(_r(i/e))*e)}function fh(i,e){return _r(vi(_r(i/e))*e)}function Tg(i,e){return _r(hi(_r(i/e))*e)}function Nt(i,e=0){if(Rg(i))return i;let t=10**e,n=i*t*(1+Number.EPSILON);return yn(n)/t}var $s=new Map;function Ag(i){return((""+i).split(".")[1]||"").length}function La(i,e,t,n){let s=[],r=n.map(Ag);for(let o=e;o<t;o++){let a=Sn(o),c=Nt(go(i,o),a);for(let l=0;l<n.length;l++){let u=i==10?+`${n[l]}e${o}`:n[l]*c,h=(o>=0?0:a)+(o>=r[l]?0:r[l]),d=i==10?u:Nt(u,h);s.push(d),$s.set(d,h)}}return s}var Ia={},wd=[],_o=[null,null],Ys=Array.isArray,Rg=Number.isInteger,ub=i=>i===void 0;function jm(i){return typeof i=="string"}function ph(i){let e=!1;if(i!=null){let t=i.constructor;e=t==null||t==Object}return e}function db(i){return i!=null&&typeof i=="object"}var fb=Object.getPrototypeOf(Uint8Array),Cg="__proto__";function xo(i,e=ph){let t;if(Ys(i)){let n=i.find(s=>s!=null);if(Ys(n)||e(n)){t=Array(i.length);for(let s=0;s<i.length;s++)t[s]=xo(i[s],e)}else t=i.slice()}else if(i instanceof fb)t=i.slice();else if(e(i)){t={};for(let n in i)n!=Cg&&(t[n]=xo(i[n],e))}else t=i;return t}function pn(i){let e=arguments;for(let t=1;t<e.length;t++){let n=e[t];for(let s in n)s!=Cg&&(ph(i[s])?pn(i[s],xo(n[s])):i[s]=xo(n[s]))}return i}var pb=0,mb=1,gb=2;function _b(i,e,t){for(let n=0,s,r=-1;n<e.length;n++){let o=e[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<t&&i[s]==null;)i[r=s++]=null}}}function xb(i,e){if(Sb(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return Mb(o[0])||(o=yb(o)),o}let t=new Set;for(let o=0;o<i.length;o++){let c=i[o][0],l=c.length;for(let u=0;u<l;u++)t.add(c[u])}let n=[Array.from(t).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],c=a[0];for(let l=1;l<a.length;l++){let u=a[l],h=Array(s).fill(void 0),d=e?e[o][l]:mb,f=[];for(let g=0;g<u.length;g++){let S=u[g],m=r.get(c[g]);S===null?d!=pb&&(h[m]=S,d==gb&&f.push(m)):h[m]=S}_b(h,f,s),n.push(h)}}return n}var vb=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function yb(i){let e=i[0],t=e.length,n=Array(t);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>e[r]-e[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(t);for(let c=0;c<t;c++)a[c]=o[n[c]];s.push(a)}return s}function Sb(i){let e=i[0][0],t=e.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=t)return!1;if(s!=e){for(let r=0;r<t;r++)if(s[r]!=e[r])return!1}}return!0}function Mb(i,e=100){let t=i.length;if(t<=1)return!0;let n=0,s=t-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=jn(1,hi((s-n+1)/e));for(let o=i[n],a=n+r;a<=s;a+=r){let c=i[a];if(c!=null){if(c<=o)return!1;o=c}}return!0}var Pg=["January","February","March","April","May","June","July","August","September","October","November","December"],Ig=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Lg(i){return i.slice(0,3)}var bb=Ig.map(Lg),wb=Pg.map(Lg),Eb={MMMM:Pg,MMM:wb,WWWW:Ig,WWW:bb};function Ta(i){return(i<10?"0":"")+i}function Tb(i){return(i<10?"00":i<100?"0":"")+i}var Ab={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,e)=>e.MMMM[i.getMonth()],MMM:(i,e)=>e.MMM[i.getMonth()],MM:i=>Ta(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Ta(i.getDate()),D:i=>i.getDate(),WWWW:(i,e)=>e.WWWW[i.getDay()],WWW:(i,e)=>e.WWW[i.getDay()],HH:i=>Ta(i.getHours()),H:i=>i.getHours(),h:i=>{let e=i.getHours();return e==0?12:e>12?e-12:e},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>Ta(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Ta(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>Tb(i.getMilliseconds())};function Ed(i,e){e=e||Eb;let t=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)t.push(s[0][0]=="{"?Ab[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<t.length;a++)o+=typeof t[a]=="string"?t[a]:t[a](r,e);return o}}var Rb=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Cb(i,e){let t;return e=="UTC"||e=="Etc/UTC"?t=new Date(+i+i.getTimezoneOffset()*6e4):e==Rb?t=i:(t=new Date(i.toLocaleString("en-US",{timeZone:e})),t.setMilliseconds(i.getMilliseconds())),t}var Dg=i=>i%1==0,hh=[1,2,2.5,5],Pb=La(10,-32,0,hh),Ng=La(10,0,32,hh),Ib=Ng.filter(Dg),pr=Pb.concat(Ng),Td=`
`,Ug="{YYYY}",Qm=Td+Ug,Fg="{M}/{D}",Ca=Td+Fg,rh=Ca+"/{YY}",Og="{aa}",Lb="{h}:{mm}",po=Lb+Og,eg=Td+po,tg=":{ss}",Et=null;function Bg(i){let e=i*1e3,t=e*60,n=t*60,s=n*24,r=s*30,o=s*365,c=(i==1?La(10,0,3,hh).filter(Dg):La(10,-3,0,hh)).concat([e,e*5,e*10,e*15,e*30,t,t*5,t*10,t*15,t*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),l=[[o,Ug,Et,Et,Et,Et,Et,Et,1],[s*28,"{MMM}",Qm,Et,Et,Et,Et,Et,1],[s,Fg,Qm,Et,Et,Et,Et,Et,1],[n,"{h}"+Og,rh,Et,Ca,Et,Et,Et,1],[t,po,rh,Et,Ca,Et,Et,Et,1],[e,tg,rh+" "+po,Et,Ca+" "+po,Et,eg,Et,1],[i,tg+".{fff}",rh+" "+po,Et,Ca+" "+po,Et,eg,Et,1]];function u(h){return(d,f,g,S,m,p)=>{let v=[],T=m>=o,M=m>=r&&m<o,C=h(g),A=Nt(C*i,3),x=rd(C.getFullYear(),T?0:C.getMonth(),M||T?1:C.getDate()),E=Nt(x*i,3);if(M||T){let O=M?m/r:0,D=T?m/o:0,L=A==E?A:Nt(rd(x.getFullYear()+D,x.getMonth()+O,1)*i,3),H=new Date(yn(L/i)),V=H.getFullYear(),N=H.getMonth();for(let G=0;L<=S;G++){let Z=rd(V+D*G,N+O*G,1),z=Z-h(Nt(Z*i,3));L=Nt((+Z+z)*i,3),L<=S&&v.push(L)}}else{let O=m>=s?s:m,D=hi(g)-hi(A),L=E+D+fh(A-E,O);v.push(L);let H=h(L),V=H.getHours()+H.getMinutes()/t+H.getSeconds()/n,N=m/n,G=d.axes[f]._space,Z=p/G;for(;L=Nt(L+m,i==1?0:3),!(L>S);)if(N>1){let z=hi(Nt(V+N,6))%24,j=h(L).getHours()-z;j>1&&(j=-1),L-=j*n,V=(V+N)%24;let ie=v[v.length-1];Nt((L-ie)/m,3)*Z>=.7&&v.push(L)}else v.push(L)}return v}}return[c,l,u]}var[Db,Nb,Ub]=Bg(1),[Fb,Ob,Bb]=Bg(.001);La(2,-53,53,[1]);function ng(i,e){return i.map(t=>t.map((n,s)=>s==0||s==8||n==null?n:e(s==1||t[8]==0?n:t[1]+n)))}function ig(i,e){return(t,n,s,r,o)=>{let a=e.find(g=>o>=g[0])||e[e.length-1],c,l,u,h,d,f;return n.map(g=>{let S=i(g),m=S.getFullYear(),p=S.getMonth(),v=S.getDate(),T=S.getHours(),M=S.getMinutes(),C=S.getSeconds(),A=m!=c&&a[2]||p!=l&&a[3]||v!=u&&a[4]||T!=h&&a[5]||M!=d&&a[6]||C!=f&&a[7]||a[1];return c=m,l=p,u=v,h=T,d=M,f=C,A(S)})}}function kb(i,e){let t=Ed(e);return(n,s,r,o,a)=>s.map(c=>t(i(c)))}function rd(i,e,t){return new Date(i,e,t)}function sg(i,e){return e(i)}var zb="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function rg(i,e){return(t,n,s,r)=>r==null?vd:e(i(n))}function Hb(i,e){let t=i.series[e];return t.width?t.stroke(i,e):t.points.width?t.points.stroke(i,e):null}function Gb(i,e){return i.series[e].fill(i,e)}var Vb={show:!0,live:!0,isolate:!1,mount:lb,markers:{show:!0,width:2,stroke:Hb,fill:Gb,dash:"solid"},idx:null,idxs:null,values:[]};function Wb(i,e){let t=i.cursor.points,n=xi(),s=t.size(i,e);Gt(n,Aa,s),Gt(n,Ra,s);let r=s/-2;Gt(n,"marginLeft",r),Gt(n,"marginTop",r);let o=t.width(i,e,s);return o&&Gt(n,"borderWidth",o),n}function Xb(i,e){let t=i.series[e].points;return t._fill||t._stroke}function qb(i,e){let t=i.series[e].points;return t._stroke||t._fill}function Yb(i,e){return i.series[e].points.size}var od=[0,0];function $b(i,e,t){return od[0]=e,od[1]=t,od}function oh(i,e,t,n=!0){return s=>{s.button==0&&(!n||s.target==e)&&t(s)}}function ad(i,e,t,n=!0){return s=>{(!n||s.target==e)&&t(s)}}var Zb={show:!0,x:!0,y:!0,lock:!1,move:$b,points:{one:!1,show:Wb,size:Yb,width:0,stroke:qb,fill:Xb},bind:{mousedown:oh,mouseup:oh,click:oh,dblclick:oh,mousemove:ad,mouseleave:ad,mouseenter:ad},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,e)=>{e.stopPropagation(),e.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,e,t,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},kg={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ad=pn({},kg,{filter:Eg}),zg=pn({},Ad,{size:10}),Hg=pn({},kg,{show:!1}),Rd='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Gg="bold "+Rd,Vg=1.5,og={show:!0,scale:"x",stroke:xd,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Gg,side:2,grid:Ad,ticks:zg,border:Hg,font:Rd,lineGap:Vg,rotate:0},Jb="Value",Kb="Time",ag={show:!0,scale:"x",auto:!1,sorted:1,min:Dt,max:-Dt,idxs:[]};function jb(i,e,t,n,s){return e.map(r=>r==null?"":bd(r))}function Qb(i,e,t,n,s,r,o){let a=[],c=$s.get(s)||0;t=o?t:Nt(fh(t,s),c);for(let l=t;l<=n;l=Nt(l+s,c))a.push(Object.is(l,-0)?0:l);return a}function fd(i,e,t,n,s,r,o){let a=[],c=i.scales[i.axes[e].scale].log,l=c==10?bs:Mg,u=hi(l(t));s=go(c,u),c==10&&(s=pr[Ni(s,pr)]);let h=t,d=s*c;c==10&&(d=pr[Ni(d,pr)]);do a.push(h),h=h+s,c==10&&!$s.has(h)&&(h=Nt(h,$s.get(s))),h>=d&&(s=h,d=s*c,c==10&&(d=pr[Ni(d,pr)]));while(h<=n);return a}function ew(i,e,t,n,s,r,o){let c=i.scales[i.axes[e].scale].asinh,l=n>c?fd(i,e,jn(c,t),n,s):[c],u=n>=0&&t<=0?[0]:[];return(t<-c?fd(i,e,jn(c,-n),-t,s):[c]).reverse().map(d=>-d).concat(u,l)}var Wg=/./,tw=/[12357]/,nw=/[125]/,lg=/1/,pd=(i,e,t,n)=>i.map((s,r)=>e==4&&s==0||r%n==0&&t.test(s.toExponential()[s<0?1:0])?s:null);function iw(i,e,t,n,s){let r=i.axes[t],o=r.scale,a=i.scales[o],c=i.valToPos,l=r._space,u=c(10,o),h=c(9,o)-u>=l?Wg:c(7,o)-u>=l?tw:c(5,o)-u>=l?nw:lg;if(h==lg){let d=Sn(c(1,o)-u);if(d<l)return pd(e.slice().reverse(),a.distr,h,vi(l/d)).reverse()}return pd(e,a.distr,h,1)}function sw(i,e,t,n,s){let r=i.axes[t],o=r.scale,a=r._space,c=i.valToPos,l=Sn(c(1,o)-c(2,o));return l<a?pd(e.slice().reverse(),3,Wg,vi(a/l)).reverse():e}function rw(i,e,t,n){return n==null?vd:e==null?"":bd(e)}var cg={show:!0,scale:"y",stroke:xd,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Gg,side:3,grid:Ad,ticks:zg,border:Hg,font:Rd,lineGap:Vg,rotate:0};function ow(i,e){let t=3+(i||1)*2;return Nt(t*e,3)}function aw(i,e){let{scale:t,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],t,!0),o=i.valToPos(s[n[1]],t,!0),a=Sn(o-r),c=i.series[e],l=a/(c.points.space*bt);return n[1]-n[0]<=l}var hg={scale:null,auto:!0,sorted:0,min:Dt,max:-Dt},Xg=(i,e,t,n,s)=>s,ug={show:!0,auto:!0,sorted:0,gaps:Xg,alpha:1,facets:[pn({},hg,{scale:"x"}),pn({},hg,{scale:"y"})]},dg={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Xg,alpha:1,points:{show:aw,filter:null},values:null,min:Dt,max:-Dt,idxs:[],path:null,clip:null};function lw(i,e,t,n,s){return t/10}var qg={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},cw=pn({},qg,{time:!1,ori:1}),fg={};function Yg(i,e){let t=fg[i];return t||(t={key:i,plots:[],sub(n){t.plots.push(n)},unsub(n){t.plots=t.plots.filter(s=>s!=n)},pub(n,s,r,o,a,c,l){for(let u=0;u<t.plots.length;u++)t.plots[u]!=s&&t.plots[u].pub(n,s,r,o,a,c,l)}},i!=null&&(fg[i]=t)),t}var vo=1,md=2;function xr(i,e,t){let n=i.mode,s=i.series[e],r=n==2?i._data[e]:i._data,o=i.scales,a=i.bbox,c=r[0],l=n==2?r[1]:r[e],u=n==2?o[s.facets[0].scale]:o[i.series[0].scale],h=n==2?o[s.facets[1].scale]:o[s.scale],d=a.left,f=a.top,g=a.width,S=a.height,m=i.valToPosH,p=i.valToPosV;return u.ori==0?t(s,c,l,u,h,m,p,d,f,g,S,gh,So,xh,Zg,Kg):t(s,c,l,u,h,p,m,f,d,S,g,_h,Mo,Id,Jg,jg)}function Cd(i,e){let t=0,n=0,s=St(i.bands,wd);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==e?t=o.dir:o.series[1]==e&&(o.dir==1?n|=1:n|=2)}return[t,n==1?-1:n==2?1:n==3?2:0]}function hw(i,e,t,n,s){let r=i.mode,o=i.series[e],a=r==2?o.facets[1].scale:o.scale,c=i.scales[a];return s==-1?c.min:s==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function ws(i,e,t,n,s,r){return xr(i,e,(o,a,c,l,u,h,d,f,g,S,m)=>{let p=o.pxRound,v=l.dir*(l.ori==0?1:-1),T=l.ori==0?So:Mo,M,C;v==1?(M=t,C=n):(M=n,C=t);let A=p(h(a[M],l,S,f)),x=p(d(c[M],u,m,g)),E=p(h(a[C],l,S,f)),O=p(d(r==1?u.max:u.min,u,m,g)),D=new Path2D(s);return T(D,E,O),T(D,A,O),T(D,A,x),D})}function mh(i,e,t,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=e==0?xh:Id,c=t;for(let h=0;h<i.length;h++){let d=i[h];if(d[1]>d[0]){let f=d[0]-c;f>0&&a(o,c,n,f,n+r),c=d[1]}}let l=t+s-c,u=10;l>0&&a(o,c,n-u/2,l,n+r+u)}return o}function uw(i,e,t){let n=i[i.length-1];n&&n[0]==e?n[1]=t:i.push([e,t])}function Pd(i,e,t,n,s,r,o){let a=[],c=i.length;for(let l=s==1?t:n;l>=t&&l<=n;l+=s)if(e[l]===null){let h=l,d=l;if(s==1)for(;++l<=n&&e[l]===null;)d=l;else for(;--l>=t&&e[l]===null;)d=l;let f=r(i[h]),g=d==h?f:r(i[d]),S=h-s;f=o<=0&&S>=0&&S<c?r(i[S]):f;let p=d+s;g=o>=0&&p>=0&&p<c?r(i[p]):g,g>=f&&a.push([f,g])}return a}function pg(i){return i==0?wg:i==1?yn:e=>fr(e,i)}function $g(i){let e=i==0?gh:_h,t=i==0?(s,r,o,a,c,l)=>{s.arcTo(r,o,a,c,l)}:(s,r,o,a,c,l)=>{s.arcTo(o,r,c,a,l)},n=i==0?(s,r,o,a,c)=>{s.rect(r,o,a,c)}:(s,r,o,a,c)=>{s.rect(o,r,c,a)};return(s,r,o,a,c,l=0,u=0)=>{l==0&&u==0?n(s,r,o,a,c):(l=Ui(l,a/2,c/2),u=Ui(u,a/2,c/2),e(s,r+l,o),t(s,r+a,o,r+a,o+c,l),t(s,r+a,o+c,r,o+c,u),t(s,r,o+c,r,o,u),t(s,r,o,r+a,o,l),s.closePath())}}var gh=(i,e,t)=>{i.moveTo(e,t)},_h=(i,e,t)=>{i.moveTo(t,e)},So=(i,e,t)=>{i.lineTo(e,t)},Mo=(i,e,t)=>{i.lineTo(t,e)},xh=$g(0),Id=$g(1),Zg=(i,e,t,n,s,r)=>{i.arc(e,t,n,s,r)},Jg=(i,e,t,n,s,r)=>{i.arc(t,e,n,s,r)},Kg=(i,e,t,n,s,r,o)=>{i.bezierCurveTo(e,t,n,s,r,o)},jg=(i,e,t,n,s,r,o)=>{i.bezierCurveTo(t,e,s,n,o,r)};function Qg(i){return(e,t,n,s,r)=>xr(e,t,(o,a,c,l,u,h,d,f,g,S,m)=>{let{pxRound:p,points:v}=o,T,M;l.ori==0?(T=gh,M=Zg):(T=_h,M=Jg);let C=Nt(v.width*bt,3),A=(v.size-v.width)/2*bt,x=Nt(A*2,3),E=new Path2D,O=new Path2D,{left:D,top:L,width:H,height:V}=e.bbox;xh(O,D-x,L-x,H+x*2,V+x*2);let N=G=>{if(c[G]!=null){let Z=p(h(a[G],l,S,f)),z=p(d(c[G],u,m,g));T(E,Z+A,z),M(E,Z,z,A,0,ah*2)}};if(r)r.forEach(N);else for(let G=n;G<=s;G++)N(G);return{stroke:C>0?E:null,fill:E,clip:O,flags:vo|md}})}function e0(i){return(e,t,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(e,t,n),r!=s&&o!=s&&i(e,t,s),i(e,t,o))}}var dw=e0(So),fw=e0(Mo);function t0(i){let e=St(i?.alignGaps,0);return(t,n,s,r)=>xr(t,n,(o,a,c,l,u,h,d,f,g,S,m)=>{[s,r]=uh(c,s,r);let p=o.pxRound,v=V=>p(h(V,l,S,f)),T=V=>p(d(V,u,m,g)),M,C;l.ori==0?(M=So,C=dw):(M=Mo,C=fw);let A=l.dir*(l.ori==0?1:-1),x={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:vo},E=x.stroke,O=!1;if(r-s>=S*4){let V=he=>t.posToVal(he,l.key,!0),N=null,G=null,Z,z,le,J=v(a[A==1?s:r]),j=v(a[s]),ie=v(a[r]),ue=V(A==1?j+1:ie-1);for(let he=A==1?s:r;he>=s&&he<=r;he+=A){let Q=a[he],xe=(A==1?Q<ue:Q>ue)?J:v(Q),Ae=c[he];xe==J?Ae!=null?(z=Ae,N==null?(M(E,xe,T(z)),Z=N=G=z):z<N?N=z:z>G&&(G=z)):Ae===null&&(O=!0):(N!=null&&C(E,J,T(N),T(G),T(Z),T(z)),Ae!=null?(z=Ae,M(E,xe,T(z)),N=G=Z=z):(N=G=null,Ae===null&&(O=!0)),J=xe,ue=V(J+A))}N!=null&&N!=G&&le!=J&&C(E,J,T(N),T(G),T(Z),T(z))}else for(let V=A==1?s:r;V>=s&&V<=r;V+=A){let N=c[V];N===null?O=!0:N!=null&&M(E,v(a[V]),T(N))}let[L,H]=Cd(t,n);if(o.fill!=null||L!=0){let V=x.fill=new Path2D(E),N=o.fillTo(t,n,o.min,o.max,L),G=T(N),Z=v(a[s]),z=v(a[r]);A==-1&&([z,Z]=[Z,z]),M(V,z,G),M(V,Z,G)}if(!o.spanGaps){let V=[];O&&V.push(...Pd(a,c,s,r,A,v,e)),x.gaps=V=o.gaps(t,n,s,r,V),x.clip=mh(V,l.ori,f,g,S,m)}return H!=0&&(x.band=H==2?[ws(t,n,s,r,E,-1),ws(t,n,s,r,E,1)]:ws(t,n,s,r,E,H)),x})}function pw(i){let e=St(i.align,1),t=St(i.ascDesc,!1),n=St(i.alignGaps,0),s=St(i.extend,!1);return(r,o,a,c)=>xr(r,o,(l,u,h,d,f,g,S,m,p,v,T)=>{[a,c]=uh(h,a,c);let M=l.pxRound,{left:C,width:A}=r.bbox,x=j=>M(g(j,d,v,m)),E=j=>M(S(j,f,T,p)),O=d.ori==0?So:Mo,D={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:vo},L=D.stroke,H=d.dir*(d.ori==0?1:-1),V=E(h[H==1?a:c]),N=x(u[H==1?a:c]),G=N,Z=N;s&&e==-1&&(Z=C,O(L,Z,V)),O(L,N,V);for(let j=H==1?a:c;j>=a&&j<=c;j+=H){let ie=h[j];if(ie==null)continue;let ue=x(u[j]),he=E(ie);e==1?O(L,ue,V):O(L,G,he),O(L,ue,he),V=he,G=ue}let z=G;s&&e==1&&(z=C+A,O(L,z,V));let[le,J]=Cd(r,o);if(l.fill!=null||le!=0){let j=D.fill=new Path2D(L),ie=l.fillTo(r,o,l.min,l.max,le),ue=E(ie);O(j,z,ue),O(j,Z,ue)}if(!l.spanGaps){let j=[];j.push(...Pd(u,h,a,c,H,x,n));let ie=l.width*bt/2,ue=t||e==1?ie:-ie,he=t||e==-1?-ie:ie;j.forEach(Q=>{Q[0]+=ue,Q[1]+=he}),D.gaps=j=l.gaps(r,o,a,c,j),D.clip=mh(j,d.ori,m,p,v,T)}return J!=0&&(D.band=J==2?[ws(r,o,a,c,L,-1),ws(r,o,a,c,L,1)]:ws(r,o,a,c,L,J)),D})}function mg(i,e,t,n,s,r,o=Dt){if(i.length>1){let a=null;for(let c=0,l=1/0;c<i.length;c++)if(e[c]!==void 0){if(a!=null){let u=Sn(i[c]-i[a]);u<l&&(l=u,o=Sn(t(i[c],n,s,r)-t(i[a],n,s,r)))}a=c}}return o}function mw(i){i=i||Ia;let e=St(i.size,[.6,Dt,1]),t=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=_t(s),o=1-e[0],a=St(e[1],Dt),c=St(e[2],1),l=St(i.disp,Ia),u=St(i.each,f=>{}),{fill:h,stroke:d}=l;return(f,g,S,m)=>xr(f,g,(p,v,T,M,C,A,x,E,O,D,L)=>{let H=p.pxRound,V=t,N=n*bt,G=a*bt,Z=c*bt,z,le;M.ori==0?[z,le]=r(f,g):[le,z]=r(f,g);let J=M.dir*(M.ori==0?1:-1),j=M.ori==0?xh:Id,ie=M.ori==0?u:(Ce,Ye,rt,be,Lt,ze,Xe)=>{u(Ce,Ye,rt,Lt,be,Xe,ze)},ue=St(f.bands,wd).find(Ce=>Ce.series[0]==g),he=ue!=null?ue.dir:0,Q=p.fillTo(f,g,p.min,p.max,he),me=H(x(Q,C,L,O)),xe,Ae,Me,Ve=D,st=H(p.width*bt),He=!1,ht=null,at=null,nt=null,Vt=null;h!=null&&(st==0||d!=null)&&(He=!0,ht=h.values(f,g,S,m),at=new Map,new Set(ht).forEach(Ce=>{Ce!=null&&at.set(Ce,new Path2D)}),st>0&&(nt=d.values(f,g,S,m),Vt=new Map,new Set(nt).forEach(Ce=>{Ce!=null&&Vt.set(Ce,new Path2D)})));let{x0:Ut,size:on}=l;if(Ut!=null&&on!=null){V=1,v=Ut.values(f,g,S,m),Ut.unit==2&&(v=v.map(rt=>f.posToVal(E+rt*D,M.key,!0)));let Ce=on.values(f,g,S,m);on.unit==2?Ae=Ce[0]*D:Ae=A(Ce[0],M,D,E)-A(0,M,D,E),Ve=mg(v,T,A,M,D,E,Ve),Me=Ve-Ae+N}else Ve=mg(v,T,A,M,D,E,Ve),Me=Ve*o+N,Ae=Ve-Me;Me<1&&(Me=0),st>=Ae/2&&(st=0),Me<5&&(H=wg);let Ct=Me>0,bn=Ve-Me-(Ct?st:0);Ae=H(dd(bn,Z,G)),xe=(V==0?Ae/2:V==J?0:Ae)-V*J*((V==0?N/2:0)+(Ct?st/2:0));let vt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},mn=He?null:new Path2D,Jt=null;if(ue!=null)Jt=f.data[ue.series[1]];else{let{y0:Ce,y1:Ye}=l;Ce!=null&&Ye!=null&&(T=Ye.values(f,g,S,m),Jt=Ce.values(f,g,S,m))}let an=z*Ae,F=le*Ae;for(let Ce=J==1?S:m;Ce>=S&&Ce<=m;Ce+=J){let Ye=T[Ce];if(Ye==null)continue;if(Jt!=null){let W=Jt[Ce]??0;if(Ye-W==0)continue;me=x(W,C,L,O)}let rt=M.distr!=2||l!=null?v[Ce]:Ce,be=A(rt,M,D,E),Lt=x(St(Ye,Q),C,L,O),ze=H(be-xe),Xe=H(jn(Lt,me)),R=H(Ui(Lt,me)),y=Xe-R;if(Ye!=null){let W=Ye<0?F:an,ce=Ye<0?an:F;He?(st>0&&nt[Ce]!=null&&j(Vt.get(nt[Ce]),ze,R+hi(st/2),Ae,jn(0,y-st),W,ce),ht[Ce]!=null&&j(at.get(ht[Ce]),ze,R+hi(st/2),Ae,jn(0,y-st),W,ce)):j(mn,ze,R+hi(st/2),Ae,jn(0,y-st),W,ce),ie(f,g,Ce,ze-st/2,R,Ae+st,y)}}return st>0?vt.stroke=He?Vt:mn:He||(vt._fill=p.width==0?p._fill:p._stroke??p._fill,vt.width=0),vt.fill=He?at:mn,vt})}function gw(i,e){let t=St(e?.alignGaps,0);return(n,s,r,o)=>xr(n,s,(a,c,l,u,h,d,f,g,S,m,p)=>{[r,o]=uh(l,r,o);let v=a.pxRound,T=z=>v(d(z,u,m,g)),M=z=>v(f(z,h,p,S)),C,A,x;u.ori==0?(C=gh,x=So,A=Kg):(C=_h,x=Mo,A=jg);let E=u.dir*(u.ori==0?1:-1),O=T(c[E==1?r:o]),D=O,L=[],H=[];for(let z=E==1?r:o;z>=r&&z<=o;z+=E)if(l[z]!=null){let J=c[z],j=T(J);L.push(D=j),H.push(M(l[z]))}let V={stroke:i(L,H,C,x,A,v),fill:null,clip:null,band:null,gaps:null,flags:vo},N=V.stroke,[G,Z]=Cd(n,s);if(a.fill!=null||G!=0){let z=V.fill=new Path2D(N),le=a.fillTo(n,s,a.min,a.max,G),J=M(le);x(z,D,J),x(z,O,J)}if(!a.spanGaps){let z=[];z.push(...Pd(c,l,r,o,E,T,t)),V.gaps=z=a.gaps(n,s,r,o,z),V.clip=mh(z,u.ori,g,S,m,p)}return Z!=0&&(V.band=Z==2?[ws(n,s,r,o,N,-1),ws(n,s,r,o,N,1)]:ws(n,s,r,o,N,Z)),V})}function _w(i){return gw(xw,i)}function xw(i,e,t,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(t(a,i[0],e[0]),o==2)n(a,i[1],e[1]);else{let c=Array(o),l=Array(o-1),u=Array(o-1),h=Array(o-1);for(let d=0;d<o-1;d++)u[d]=e[d+1]-e[d],h[d]=i[d+1]-i[d],l[d]=u[d]/h[d];c[0]=l[0];for(let d=1;d<o-1;d++)l[d]===0||l[d-1]===0||l[d-1]>0!=l[d]>0?c[d]=0:(c[d]=3*(h[d-1]+h[d])/((2*h[d]+h[d-1])/l[d-1]+(h[d]+2*h[d-1])/l[d]),isFinite(c[d])||(c[d]=0));c[o-1]=l[o-2];for(let d=0;d<o-1;d++)s(a,i[d]+h[d]/3,e[d]+c[d]*h[d]/3,i[d+1]-h[d]/3,e[d+1]-c[d+1]*h[d]/3,i[d+1],e[d+1])}return a}var gd=new Set;function gg(){for(let i of gd)i.syncRect(!0)}yo&&(gr(jM,mo,gg),gr(QM,mo,gg,!0),gr(lh,mo,()=>{Dn.pxRatio=bt}));var vw=t0(),yw=Qg();function _g(i,e,t,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>_d(r,o,e,t))}function Sw(i,e){return i.map((t,n)=>n==0?{}:pn({},e,t))}function _d(i,e,t,n){return pn({},e==0?t:n,i)}function n0(i,e,t){return e==null?_o:[e,t]}var Mw=n0;function bw(i,e,t){return e==null?_o:ch(e,t,Md,!0)}function i0(i,e,t,n){return e==null?_o:dh(e,t,i.scales[n].log,!1)}var ww=i0;function s0(i,e,t,n){return e==null?_o:Sd(e,t,i.scales[n].log,!1)}var Ew=s0;function Tw(i,e,t,n,s){let r=jn(Zm(i),Zm(e)),o=e-i,a=Ni(s/n*o,t);do{let c=t[a],l=n*c/o;if(l>=s&&r+(c<5?$s.get(c):0)<=17)return[c,l]}while(++a<t.length);return[0,0]}function xg(i){let e,t;return i=i.replace(/(\d+)px/,(n,s)=>(e=yn((t=+s)*bt))+"px"),[i,e,t]}function Aw(i){i.show&&[i.font,i.labelFont].forEach(e=>{let t=Nt(e[2]*bt,1);e[0]=e[0].replace(/[0-9.]+px/,t+"px"),e[1]=t})}function Dn(i,e,t){let n={mode:St(i.mode,1)},s=n.mode;function r(_,b,P,I){let k=b.valToPct(_);return I+P*(b.dir==-1?1-k:k)}function o(_,b,P,I){let k=b.valToPct(_);return I+P*(b.dir==-1?k:1-k)}function a(_,b,P,I){return b.ori==0?r(_,b,P,I):o(_,b,P,I)}n.valToPosH=r,n.valToPosV=o;let c=!1;n.status=0;let l=n.root=xi(NM);if(i.id!=null&&(l.id=i.id),ci(l,i.class),i.title){let _=xi(OM,l);_.textContent=i.title}let u=Di("canvas"),h=n.ctx=u.getContext("2d"),d=xi(BM,l);gr("click",d,_=>{_.target===g&&(Bt!=Er||Wt!=Tr)&&Ln.click(n,_)},!0);let f=n.under=xi(kM,d);d.appendChild(u);let g=n.over=xi(zM,d);i=xo(i);let S=+St(i.pxAlign,1),m=pg(S);(i.plugins||[]).forEach(_=>{_.opts&&(i=_.opts(n,i)||i)});let p=i.ms||.001,v=n.series=s==1?_g(i.series||[],ag,dg,!1):Sw(i.series||[null],ug),T=n.axes=_g(i.axes||[],og,cg,!0),M=n.scales={},C=n.bands=i.bands||[];C.forEach(_=>{_.fill=_t(_.fill||null),_.dir=St(_.dir,-1)});let A=s==2?v[1].facets[0].scale:v[0].scale,x={axes:rs,series:ft},E=(i.drawOrder||["axes","series"]).map(_=>x[_]);function O(_){let b=_.distr==3?P=>bs(P>0?P:_.clamp(n,P,_.min,_.max,_.key)):_.distr==4?P=>sd(P,_.asinh):_.distr==100?P=>_.fwd(P):P=>P;return P=>{let I=b(P),{_min:k,_max:$}=_,oe=$-k;return(I-k)/oe}}function D(_){let b=M[_];if(b==null){let P=(i.scales||Ia)[_]||Ia;if(P.from!=null){D(P.from);let I=pn({},M[P.from],P,{key:_});I.valToPct=O(I),M[_]=I}else{b=M[_]=pn({},_==A?qg:cw,P),b.key=_;let I=b.time,k=b.range,$=Ys(k);if((_!=A||s==2&&!I)&&($&&(k[0]==null||k[1]==null)&&(k={min:k[0]==null?qm:{mode:1,hard:k[0],soft:k[0]},max:k[1]==null?qm:{mode:1,hard:k[1],soft:k[1]}},$=!1),!$&&ph(k))){let oe=k;k=(de,ye,De)=>ye==null?_o:ch(ye,De,oe)}b.range=_t(k||(I?Mw:_==A?b.distr==3?ww:b.distr==4?Ew:n0:b.distr==3?i0:b.distr==4?s0:bw)),b.auto=_t($?!1:b.auto),b.clamp=_t(b.clamp||lw),b._min=b._max=null,b.valToPct=O(b)}}}D("x"),D("y"),s==1&&v.forEach(_=>{D(_.scale)}),T.forEach(_=>{D(_.scale)});for(let _ in i.scales)D(_);let L=M[A],H=L.distr,V,N;L.ori==0?(ci(l,UM),V=r,N=o):(ci(l,FM),V=o,N=r);let G={};for(let _ in M){let b=M[_];(b.min!=null||b.max!=null)&&(G[_]={min:b.min,max:b.max},b.min=b.max=null)}let Z=i.tzDate||(_=>new Date(yn(_/p))),z=i.fmtDate||Ed,le=p==1?Ub(Z):Bb(Z),J=ig(Z,ng(p==1?Nb:Ob,z)),j=rg(Z,sg(zb,z)),ie=[],ue=n.legend=pn({},Vb,i.legend),he=n.cursor=pn({},Zb,{drag:{y:s==2}},i.cursor),Q=ue.show,me=he.show,xe=ue.markers;ue.idxs=ie,xe.width=_t(xe.width),xe.dash=_t(xe.dash),xe.stroke=_t(xe.stroke),xe.fill=_t(xe.fill);let Ae,Me,Ve,st=[],He=[],ht,at=!1,nt={};if(ue.live){let _=v[1]?v[1].values:null;at=_!=null,ht=at?_(n,1,0):{_:0};for(let b in ht)nt[b]=vd}if(Q)if(Ae=Di("table",qM,l),Ve=Di("tbody",null,Ae),ue.mount(n,Ae),at){Me=Di("thead",null,Ae,Ve);let _=Di("tr",null,Me);Di("th",null,_);for(var Vt in ht)Di("th",Dm,_).textContent=Vt}else ci(Ae,$M),ue.live&&ci(Ae,YM);let Ut={show:!0},on={show:!1};function Ct(_,b){if(b==0&&(at||!ue.live||s==2))return _o;let P=[],I=Di("tr",ZM,Ve,Ve.childNodes[b]);ci(I,_.class),_.show||ci(I,mr);let k=Di("th",null,I);if(xe.show){let de=xi(JM,k);if(b>0){let ye=xe.width(n,b);ye&&(de.style.border=ye+"px "+xe.dash(n,b)+" "+xe.stroke(n,b)),de.style.background=xe.fill(n,b)}}let $=xi(Dm,k);_.label instanceof HTMLElement?$.appendChild(_.label):$.textContent=_.label,b>0&&(xe.show||($.style.color=_.width>0?xe.stroke(n,b):xe.fill(n,b)),vt("click",k,de=>{if(he._lock)return;Ke(de);let ye=v.indexOf(_);if((de.ctrlKey||de.metaKey)!=ue.isolate){let De=v.some((Ne,Fe)=>Fe>0&&Fe!=ye&&Ne.show);v.forEach((Ne,Fe)=>{Fe>0&&zi(Fe,De?Fe==ye?Ut:on:Ut,!0,un.setSeries)})}else zi(ye,{show:!_.show},!0,un.setSeries)},!1),je&&vt(Om,k,de=>{he._lock||(Ke(de),zi(v.indexOf(_),Rr,!0,un.setSeries))},!1));for(var oe in ht){let de=Di("td",KM,I);de.textContent="--",P.push(de)}return[I,P]}let bn=new Map;function vt(_,b,P,I=!0){let k=bn.get(b)||{},$=he.bind[_](n,b,P,I);$&&(gr(_,b,k[_]=$),bn.set(b,k))}function mn(_,b,P){let I=bn.get(b)||{};for(let k in I)(_==null||k==_)&&(ud(k,b,I[k]),delete I[k]);_==null&&bn.delete(b)}let Jt=0,an=0,F=0,Ce=0,Ye=0,rt=0,be=Ye,Lt=rt,ze=F,Xe=Ce,R=0,y=0,W=0,ce=0;n.bbox={};let re=!1,_e=!1,ve=!1,ee=!1,ne=!1,fe=!1;function U(_,b,P){(P||_!=n.width||b!=n.height)&&se(_,b),lt(!1),ve=!0,_e=!0,Nn()}function se(_,b){n.width=Jt=F=_,n.height=an=Ce=b,Ye=rt=0,Se(),Ge();let P=n.bbox;R=P.left=fr(Ye*bt,.5),y=P.top=fr(rt*bt,.5),W=P.width=fr(F*bt,.5),ce=P.height=fr(Ce*bt,.5)}let te=3;function we(){let _=!1,b=0;for(;!_;){b++;let P=Mr(b),I=ki(b);_=b==te||P&&I,_||(se(n.width,n.height),_e=!0)}}function ge({width:_,height:b}){U(_,b)}n.setSize=ge;function Se(){let _=!1,b=!1,P=!1,I=!1;T.forEach((k,$)=>{if(k.show&&k._show){let{side:oe,_size:de}=k,ye=oe%2,De=k.label!=null?k.labelSize:0,Ne=de+De;Ne>0&&(ye?(F-=Ne,oe==3?(Ye+=Ne,I=!0):P=!0):(Ce-=Ne,oe==0?(rt+=Ne,_=!0):b=!0))}}),Oi[0]=_,Oi[1]=P,Oi[2]=b,Oi[3]=I,F-=yi[1]+yi[3],Ye+=yi[3],Ce-=yi[2]+yi[0],rt+=yi[0]}function Ge(){let _=Ye+F,b=rt+Ce,P=Ye,I=rt;function k($,oe){switch($){case 1:return _+=oe,_-oe;case 2:return b+=oe,b-oe;case 3:return P-=oe,P+oe;case 0:return I-=oe,I+oe}}T.forEach(($,oe)=>{if($.show&&$._show){let de=$.side;$._pos=k(de,$._size),$.label!=null&&($._lpos=k(de,$.labelSize))}})}if(he.dataIdx==null){let _=he.hover,b=_.skip=new Set(_.skip??[]);b.add(void 0);let P=_.prox=_t(_.prox),I=_.bias??=0;he.dataIdx=(k,$,oe,de)=>{if($==0)return oe;let ye=oe,De=P(k,$,oe,de)??Dt,Ne=De>=0&&De<Dt,Fe=L.ori==0?F:Ce,it=he.left,Mt=e[0],yt=e[$];if(b.has(yt[oe])){ye=null;let pt=null,Je=null,We;if(I==0||I==-1)for(We=oe;pt==null&&We-- >0;)b.has(yt[We])||(pt=We);if(I==0||I==1)for(We=oe;Je==null&&We++<yt.length;)b.has(yt[We])||(Je=We);if(pt!=null||Je!=null)if(Ne){let zt=pt==null?-1/0:V(Mt[pt],L,Fe,0),Qt=Je==null?1/0:V(Mt[Je],L,Fe,0),An=it-zt,Pt=Qt-it;An<=Pt?An<=De&&(ye=pt):Pt<=De&&(ye=Je)}else ye=Je==null?pt:pt==null?Je:oe-pt<=Je-oe?pt:Je}else Ne&&Sn(it-V(Mt[oe],L,Fe,0))>De&&(ye=null);return ye}}let Ke=_=>{he.event=_};he.idxs=ie,he._lock=!1;let ae=he.points;ae.show=_t(ae.show),ae.size=_t(ae.size),ae.stroke=_t(ae.stroke),ae.width=_t(ae.width),ae.fill=_t(ae.fill);let Oe=n.focus=pn({},i.focus||{alpha:.3},he.focus),je=Oe.prox>=0,Re=je&&ae.one,ot=[],Ot=[],kn=[];function wo(_,b){let P=ae.show(n,b);if(P instanceof HTMLElement)return ci(P,XM),ci(P,_.class),ts(P,-10,-10,F,Ce),g.insertBefore(P,ot[b]),P}function vr(_,b){if(s==1||b>0){let P=s==1&&M[_.scale].time,I=_.value;_.value=P?jm(I)?rg(Z,sg(I,z)):I||j:I||rw,_.label=_.label||(P?Kb:Jb)}if(Re||b>0){_.width=_.width==null?1:_.width,_.paths=_.paths||vw||cb,_.fillTo=_t(_.fillTo||hw),_.pxAlign=+St(_.pxAlign,S),_.pxRound=pg(_.pxAlign),_.stroke=_t(_.stroke||null),_.fill=_t(_.fill||null),_._stroke=_._fill=_._paths=_._focus=null;let P=ow(jn(1,_.width),1),I=_.points=pn({},{size:P,width:jn(1,P*.2),stroke:_.stroke,space:P*2,paths:yw,_stroke:null,_fill:null},_.points);I.show=_t(I.show),I.filter=_t(I.filter),I.fill=_t(I.fill),I.stroke=_t(I.stroke),I.paths=_t(I.paths),I.pxAlign=_.pxAlign}if(Q){let P=Ct(_,b);st.splice(b,0,P[0]),He.splice(b,0,P[1]),ue.values.push(null)}if(me){ie.splice(b,0,null);let P=null;Re?b==0&&(P=wo(_,b)):b>0&&(P=wo(_,b)),ot.splice(b,0,P),Ot.splice(b,0,0),kn.splice(b,0,0)}Tn("addSeries",b)}function Mh(_,b){b=b??v.length,_=s==1?_d(_,b,ag,dg):_d(_,b,{},ug),v.splice(b,0,_),vr(v[b],b)}n.addSeries=Mh;function Fa(_){if(v.splice(_,1),Q){ue.values.splice(_,1),He.splice(_,1);let b=st.splice(_,1)[0];mn(null,b.firstChild),b.remove()}me&&(ie.splice(_,1),ot.splice(_,1)[0].remove(),Ot.splice(_,1),kn.splice(_,1)),Tn("delSeries",_)}n.delSeries=Fa;let Oi=[!1,!1,!1,!1];function ns(_,b){if(_._show=_.show,_.show){let P=_.side%2,I=M[_.scale];I==null&&(_.scale=P?v[1].scale:A,I=M[_.scale]);let k=I.time;_.size=_t(_.size),_.space=_t(_.space),_.rotate=_t(_.rotate),Ys(_.incrs)&&_.incrs.forEach(oe=>{!$s.has(oe)&&$s.set(oe,Ag(oe))}),_.incrs=_t(_.incrs||(I.distr==2?Ib:k?p==1?Db:Fb:pr)),_.splits=_t(_.splits||(k&&I.distr==1?le:I.distr==3?fd:I.distr==4?ew:Qb)),_.stroke=_t(_.stroke),_.grid.stroke=_t(_.grid.stroke),_.ticks.stroke=_t(_.ticks.stroke),_.border.stroke=_t(_.border.stroke);let $=_.values;_.values=Ys($)&&!Ys($[0])?_t($):k?Ys($)?ig(Z,ng($,z)):jm($)?kb(Z,$):$||J:$||jb,_.filter=_t(_.filter||(I.distr>=3&&I.log==10?iw:I.distr==3&&I.log==2?sw:Eg)),_.font=xg(_.font),_.labelFont=xg(_.labelFont),_._size=_.size(n,null,b,0),_._space=_._rotate=_._incrs=_._found=_._splits=_._values=null,_._size>0&&(Oi[b]=!0,_._el=xi(HM,d))}}function is(_,b,P,I){let[k,$,oe,de]=P,ye=b%2,De=0;return ye==0&&(de||$)&&(De=b==0&&!k||b==2&&!oe?yn(og.size/3):0),ye==1&&(k||oe)&&(De=b==1&&!$||b==3&&!de?yn(cg.size/2):0),De}let Eo=n.padding=(i.padding||[is,is,is,is]).map(_=>_t(St(_,is))),yi=n._padding=Eo.map((_,b)=>_(n,b,Oi,0)),Kt,nn=null,sn=null,Bi=s==1?v[0].idxs:null,ti=null,Es=!1;function To(_,b){if(e=_??[],n.data=n._data=e,s==2){Kt=0;for(let P=1;P<v.length;P++)Kt+=e[P][0].length}else{e.length==0&&(n.data=n._data=e=[[]]),ti=e[0],Kt=ti.length;let P=e;if(H==2){P=e.slice();let I=P[0]=Array(Kt);for(let k=0;k<Kt;k++)I[k]=k}n._data=e=P}if(lt(!0),Tn("setData"),H==2&&(ve=!0),b!==!1){let P=L;P.auto(n,Es)?Ao():Rs(A,P.min,P.max),ee=ee||he.left>=0,fe=!0,Nn()}}n.setData=To;function Ao(){Es=!0;let _,b;s==1&&(Kt>0?(nn=Bi[0]=0,sn=Bi[1]=Kt-1,_=e[0][nn],b=e[0][sn],H==2?(_=nn,b=sn):_==b&&(H==3?[_,b]=dh(_,_,L.log,!1):H==4?[_,b]=Sd(_,_,L.log,!1):L.time?b=_+yn(86400/p):[_,b]=ch(_,b,Md,!0))):(nn=Bi[0]=_=null,sn=Bi[1]=b=null)),Rs(A,_,b)}let yr,Ts,Sr,w,B,K,q,Y,Ee,Pe;function Te(_,b,P,I,k,$){_??=Um,P??=wd,I??="butt",k??=Um,$??="round",_!=yr&&(h.strokeStyle=yr=_),k!=Ts&&(h.fillStyle=Ts=k),b!=Sr&&(h.lineWidth=Sr=b),$!=B&&(h.lineJoin=B=$),I!=K&&(h.lineCap=K=I),P!=w&&h.setLineDash(w=P)}function Ie(_,b,P,I){b!=Ts&&(h.fillStyle=Ts=b),_!=q&&(h.font=q=_),P!=Y&&(h.textAlign=Y=P),I!=Ee&&(h.textBaseline=Ee=I)}function ke(_,b,P,I,k=0){if(I.length>0&&_.auto(n,Es)&&(b==null||b.min==null)){let $=St(nn,0),oe=St(sn,I.length-1),de=P.min==null?ib(I,$,oe,k,_.distr==3):[P.min,P.max];_.min=Ui(_.min,P.min=de[0]),_.max=jn(_.max,P.max=de[1])}}let Qe={min:null,max:null};function dt(){for(let I in M){let k=M[I];G[I]==null&&(k.min==null||G[A]!=null&&k.auto(n,Es))&&(G[I]=Qe)}for(let I in M){let k=M[I];G[I]==null&&k.from!=null&&G[k.from]!=null&&(G[I]=Qe)}G[A]!=null&&lt(!0);let _={};for(let I in G){let k=G[I];if(k!=null){let $=_[I]=xo(M[I],db);if(k.min!=null)pn($,k);else if(I!=A||s==2)if(Kt==0&&$.from==null){let oe=$.range(n,null,null,I);$.min=oe[0],$.max=oe[1]}else $.min=Dt,$.max=-Dt}}if(Kt>0){v.forEach((I,k)=>{if(s==1){let $=I.scale,oe=G[$];if(oe==null)return;let de=_[$];if(k==0){let ye=de.range(n,de.min,de.max,$);de.min=ye[0],de.max=ye[1],nn=Ni(de.min,e[0]),sn=Ni(de.max,e[0]),sn-nn>1&&(e[0][nn]<de.min&&nn++,e[0][sn]>de.max&&sn--),I.min=ti[nn],I.max=ti[sn]}else I.show&&I.auto&&ke(de,oe,I,e[k],I.sorted);I.idxs[0]=nn,I.idxs[1]=sn}else if(k>0&&I.show&&I.auto){let[$,oe]=I.facets,de=$.scale,ye=oe.scale,[De,Ne]=e[k],Fe=_[de],it=_[ye];Fe!=null&&ke(Fe,G[de],$,De,$.sorted),it!=null&&ke(it,G[ye],oe,Ne,oe.sorted),I.min=oe.min,I.max=oe.max}});for(let I in _){let k=_[I],$=G[I];if(k.from==null&&($==null||$.min==null)){let oe=k.range(n,k.min==Dt?null:k.min,k.max==-Dt?null:k.max,I);k.min=oe[0],k.max=oe[1]}}}for(let I in _){let k=_[I];if(k.from!=null){let $=_[k.from];if($.min==null)k.min=k.max=null;else{let oe=k.range(n,$.min,$.max,I);k.min=oe[0],k.max=oe[1]}}}let b={},P=!1;for(let I in _){let k=_[I],$=M[I];if($.min!=k.min||$.max!=k.max){$.min=k.min,$.max=k.max;let oe=$.distr;$._min=oe==3?bs($.min):oe==4?sd($.min,$.asinh):oe==100?$.fwd($.min):$.min,$._max=oe==3?bs($.max):oe==4?sd($.max,$.asinh):oe==100?$.fwd($.max):$.max,b[I]=P=!0}}if(P){v.forEach((I,k)=>{s==2?k>0&&b.y&&(I._paths=null):b[I.scale]&&(I._paths=null)});for(let I in b)ve=!0,Tn("setScale",I);me&&he.left>=0&&(ee=fe=!0)}for(let I in G)G[I]=null}function Be(_){let b=dd(nn-1,0,Kt-1),P=dd(sn+1,0,Kt-1);for(;_[b]==null&&b>0;)b--;for(;_[P]==null&&P<Kt-1;)P++;return[b,P]}function ft(){if(Kt>0){let _=v.some(b=>b._focus)&&Pe!=Oe.alpha;_&&(h.globalAlpha=Pe=Oe.alpha),v.forEach((b,P)=>{if(P>0&&b.show&&($t(P,!1),$t(P,!0),b._paths==null)){let I=Pe;Pe!=b.alpha&&(h.globalAlpha=Pe=b.alpha);let k=s==2?[0,e[P][0].length-1]:Be(e[P]);b._paths=b.paths(n,P,k[0],k[1]),Pe!=I&&(h.globalAlpha=Pe=I)}}),v.forEach((b,P)=>{if(P>0&&b.show){let I=Pe;Pe!=b.alpha&&(h.globalAlpha=Pe=b.alpha),b._paths!=null&&Tt(P,!1);{let k=b._paths!=null?b._paths.gaps:null,$=b.points.show(n,P,nn,sn,k),oe=b.points.filter(n,P,$,k);($||oe)&&(b.points._paths=b.points.paths(n,P,nn,sn,oe),Tt(P,!0))}Pe!=I&&(h.globalAlpha=Pe=I),Tn("drawSeries",P)}}),_&&(h.globalAlpha=Pe=1)}}function $t(_,b){let P=b?v[_].points:v[_];P._stroke=P.stroke(n,_),P._fill=P.fill(n,_)}function Tt(_,b){let P=b?v[_].points:v[_],{stroke:I,fill:k,clip:$,flags:oe,_stroke:de=P._stroke,_fill:ye=P._fill,_width:De=P.width}=P._paths;De=Nt(De*bt,3);let Ne=null,Fe=De%2/2;b&&ye==null&&(ye=De>0?"#fff":de);let it=P.pxAlign==1&&Fe>0;if(it&&h.translate(Fe,Fe),!b){let Mt=R-De/2,yt=y-De/2,pt=W+De,Je=ce+De;Ne=new Path2D,Ne.rect(Mt,yt,pt,Je)}b?Ue(de,De,P.dash,P.cap,ye,I,k,oe,$):At(_,de,De,P.dash,P.cap,ye,I,k,oe,Ne,$),it&&h.translate(-Fe,-Fe)}function At(_,b,P,I,k,$,oe,de,ye,De,Ne){let Fe=!1;ye!=0&&C.forEach((it,Mt)=>{if(it.series[0]==_){let yt=v[it.series[1]],pt=e[it.series[1]],Je=(yt._paths||Ia).band;Ys(Je)&&(Je=it.dir==1?Je[0]:Je[1]);let We,zt=null;yt.show&&Je&&rb(pt,nn,sn)?(zt=it.fill(n,Mt)||$,We=yt._paths.clip):Je=null,Ue(b,P,I,k,zt,oe,de,ye,De,Ne,We,Je),Fe=!0}}),Fe||Ue(b,P,I,k,$,oe,de,ye,De,Ne)}let gn=vo|md;function Ue(_,b,P,I,k,$,oe,de,ye,De,Ne,Fe){Te(_,b,P,I,k),(ye||De||Fe)&&(h.save(),ye&&h.clip(ye),De&&h.clip(De)),Fe?(de&gn)==gn?(h.clip(Fe),Ne&&h.clip(Ne),mt(k,oe),ln(_,$,b)):de&md?(mt(k,oe),h.clip(Fe),ln(_,$,b)):de&vo&&(h.save(),h.clip(Fe),Ne&&h.clip(Ne),mt(k,oe),h.restore(),ln(_,$,b)):(mt(k,oe),ln(_,$,b)),(ye||De||Fe)&&h.restore()}function ln(_,b,P){P>0&&(b instanceof Map?b.forEach((I,k)=>{h.strokeStyle=yr=k,h.stroke(I)}):b!=null&&_&&h.stroke(b))}function mt(_,b){b instanceof Map?b.forEach((P,I)=>{h.fillStyle=Ts=I,h.fill(P)}):b!=null&&_&&h.fill(b)}function ss(_,b,P,I){let k=T[_],$;if(I<=0)$=[0,0];else{let oe=k._space=k.space(n,_,b,P,I),de=k._incrs=k.incrs(n,_,b,P,I,oe);$=Tw(b,P,de,I,oe)}return k._found=$}function cn(_,b,P,I,k,$,oe,de,ye,De){let Ne=oe%2/2;S==1&&h.translate(Ne,Ne),Te(de,oe,ye,De,de),h.beginPath();let Fe,it,Mt,yt,pt=k+(I==0||I==3?-$:$);P==0?(it=k,yt=pt):(Fe=k,Mt=pt);for(let Je=0;Je<_.length;Je++)b[Je]!=null&&(P==0?Fe=Mt=_[Je]:it=yt=_[Je],h.moveTo(Fe,it),h.lineTo(Mt,yt));h.stroke(),S==1&&h.translate(-Ne,-Ne)}function Mr(_){let b=!0;return T.forEach((P,I)=>{if(!P.show)return;let k=M[P.scale];if(k.min==null){P._show&&(b=!1,P._show=!1,lt(!1));return}else P._show||(b=!1,P._show=!0,lt(!1));let $=P.side,oe=$%2,{min:de,max:ye}=k,[De,Ne]=ss(I,de,ye,oe==0?F:Ce);if(Ne==0)return;let Fe=k.distr==2,it=P._splits=P.splits(n,I,de,ye,De,Ne,Fe),Mt=k.distr==2?it.map(We=>ti[We]):it,yt=k.distr==2?ti[it[1]]-ti[it[0]]:De,pt=P._values=P.values(n,P.filter(n,Mt,I,Ne,yt),I,Ne,yt);P._rotate=$==2?P.rotate(n,pt,I,Ne):0;let Je=P._size;P._size=vi(P.size(n,pt,I,_)),Je!=null&&P._size!=Je&&(b=!1)}),b}function ki(_){let b=!0;return Eo.forEach((P,I)=>{let k=P(n,I,Oi,_);k!=yi[I]&&(b=!1),yi[I]=k}),b}function rs(){for(let _=0;_<T.length;_++){let b=T[_];if(!b.show||!b._show)continue;let P=b.side,I=P%2,k,$,oe=b.stroke(n,_),de=P==0||P==3?-1:1,[ye,De]=b._found;if(b.label!=null){let Gn=b.labelGap*de,si=yn((b._lpos+Gn)*bt);Ie(b.labelFont[0],oe,"center",P==2?"top":Nm),h.save(),I==1?(k=$=0,h.translate(si,yn(y+ce/2)),h.rotate((P==3?-ah:ah)/2)):(k=yn(R+W/2),$=si);let Qs=bg(b.label)?b.label(n,_,ye,De):b.label;h.fillText(Qs,k,$),h.restore()}if(De==0)continue;let Ne=M[b.scale],Fe=I==0?W:ce,it=I==0?R:y,Mt=b._splits,yt=Ne.distr==2?Mt.map(Gn=>ti[Gn]):Mt,pt=Ne.distr==2?ti[Mt[1]]-ti[Mt[0]]:ye,Je=b.ticks,We=b.border,zt=Je.show?Je.size:0,Qt=yn(zt*bt),An=yn((b.alignTo==2?b._size-zt-b.gap:b.gap)*bt),Pt=b._rotate*-ah/180,en=m(b._pos*bt),ni=(Qt+An)*de,Hn=en+ni;$=I==0?Hn:0,k=I==1?Hn:0;let di=b.font[0],Si=b.align==1?fo:b.align==2?td:Pt>0?fo:Pt<0?td:I==0?"center":P==3?td:fo,Gi=Pt||I==1?"middle":P==2?"top":Nm;Ie(di,oe,Si,Gi);let ii=b.font[1]*b.lineGap,fi=Mt.map(Gn=>m(a(Gn,Ne,Fe,it))),Mi=b._values;for(let Gn=0;Gn<Mi.length;Gn++){let si=Mi[Gn];if(si!=null){I==0?k=fi[Gn]:$=fi[Gn],si=""+si;let Qs=si.indexOf(`
`)==-1?[si]:si.split(/\n/gm);for(let Vn=0;Vn<Qs.length;Vn++){let nf=Qs[Vn];Pt?(h.save(),h.translate(k,$+Vn*ii),h.rotate(Pt),h.fillText(nf,0,0),h.restore()):h.fillText(nf,k,$+Vn*ii)}}}Je.show&&cn(fi,Je.filter(n,yt,_,De,pt),I,P,en,Qt,Nt(Je.width*bt,3),Je.stroke(n,_),Je.dash,Je.cap);let Vi=b.grid;Vi.show&&cn(fi,Vi.filter(n,yt,_,De,pt),I,I==0?2:1,I==0?y:R,I==0?ce:W,Nt(Vi.width*bt,3),Vi.stroke(n,_),Vi.dash,Vi.cap),We.show&&cn([en],[1],I==0?1:0,I==0?1:2,I==1?y:R,I==1?ce:W,Nt(We.width*bt,3),We.stroke(n,_),We.dash,We.cap)}Tn("drawAxes")}function lt(_){v.forEach((b,P)=>{P>0&&(b._paths=null,_&&(s==1?(b.min=null,b.max=null):b.facets.forEach(I=>{I.min=null,I.max=null})))})}let jt=!1,zn=!1,Rt=[];function hn(){zn=!1;for(let _=0;_<Rt.length;_++)Tn(...Rt[_]);Rt.length=0}function Nn(){jt||(vb(Bd),jt=!0)}function Oa(_,b=!1){jt=!0,zn=b,_(n),Bd(),b&&Rt.length>0&&queueMicrotask(hn)}n.batch=Oa;function Bd(){if(re&&(dt(),re=!1),ve&&(we(),ve=!1),_e){if(Gt(f,fo,Ye),Gt(f,"top",rt),Gt(f,Aa,F),Gt(f,Ra,Ce),Gt(g,fo,Ye),Gt(g,"top",rt),Gt(g,Aa,F),Gt(g,Ra,Ce),Gt(d,Aa,Jt),Gt(d,Ra,an),u.width=yn(Jt*bt),u.height=yn(an*bt),T.forEach(({_el:_,_show:b,_size:P,_pos:I,side:k})=>{if(_!=null)if(b){let $=k===3||k===0?P:0,oe=k%2==1;Gt(_,oe?"left":"top",I-$),Gt(_,oe?"width":"height",P),Gt(_,oe?"top":"left",oe?rt:Ye),Gt(_,oe?"height":"width",oe?Ce:F),hd(_,mr)}else ci(_,mr)}),yr=Ts=Sr=B=K=q=Y=Ee=w=null,Pe=1,Po(!0),Ye!=be||rt!=Lt||F!=ze||Ce!=Xe){lt(!1);let _=F/ze,b=Ce/Xe;if(me&&!ee&&he.left>=0){he.left*=_,he.top*=b,br&&ts(br,yn(he.left),0,F,Ce),wr&&ts(wr,0,yn(he.top),F,Ce);for(let P=0;P<ot.length;P++){let I=ot[P];I!=null&&(Ot[P]*=_,kn[P]*=b,ts(I,vi(Ot[P]),vi(kn[P]),F,Ce))}}if(kt.show&&!ne&&kt.left>=0&&kt.width>0){kt.left*=_,kt.width*=_,kt.top*=b,kt.height*=b;for(let P in Rh)Gt(Ar,P,kt[P])}be=Ye,Lt=rt,ze=F,Xe=Ce}Tn("setSize"),_e=!1}Jt>0&&an>0&&(h.clearRect(0,0,u.width,u.height),Tn("drawClear"),E.forEach(_=>_()),Tn("draw")),kt.show&&ne&&(Ba(kt),ne=!1),me&&ee&&(js(null,!0,!1),ee=!1),ue.show&&ue.live&&fe&&(Th(),fe=!1),c||(c=!0,n.status=1,Tn("ready")),Es=!1,jt=!1}n.redraw=(_,b)=>{ve=b||!1,_!==!1?Rs(A,L.min,L.max):Nn()};function bh(_,b){let P=M[_];if(P.from==null){if(Kt==0){let I=P.range(n,b.min,b.max,_);b.min=I[0],b.max=I[1]}if(b.min>b.max){let I=b.min;b.min=b.max,b.max=I}if(Kt>1&&b.min!=null&&b.max!=null&&b.max-b.min<1e-16)return;_==A&&P.distr==2&&Kt>0&&(b.min=Ni(b.min,e[0]),b.max=Ni(b.max,e[0]),b.min==b.max&&b.max++),G[_]=b,re=!0,Nn()}}n.setScale=bh;let wh,Eh,br,wr,kd,zd,Er,Tr,Hd,Gd,Bt,Wt,As=!1,Ln=he.drag,wn=Ln.x,En=Ln.y;me&&(he.x&&(wh=xi(VM,g)),he.y&&(Eh=xi(WM,g)),L.ori==0?(br=wh,wr=Eh):(br=Eh,wr=wh),Bt=he.left,Wt=he.top);let kt=n.select=pn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Ar=kt.show?xi(GM,kt.over?g:f):null;function Ba(_,b){if(kt.show){for(let P in _)kt[P]=_[P],P in Rh&&Gt(Ar,P,_[P]);b!==!1&&Tn("setSelect")}}n.setSelect=Ba;function C0(_){if(v[_].show)Q&&hd(st[_],mr);else if(Q&&ci(st[_],mr),me){let P=Re?ot[0]:ot[_];P!=null&&ts(P,-10,-10,F,Ce)}}function Rs(_,b,P){bh(_,{min:b,max:P})}function zi(_,b,P,I){b.focus!=null&&N0(_),b.show!=null&&v.forEach((k,$)=>{$>0&&(_==$||_==null)&&(k.show=b.show,C0($),s==2?(Rs(k.facets[0].scale,null,null),Rs(k.facets[1].scale,null,null)):Rs(k.scale,null,null),Nn())}),P!==!1&&Tn("setSeries",_,b),I&&Io("setSeries",n,_,b)}n.setSeries=zi;function P0(_,b){pn(C[_],b)}function I0(_,b){_.fill=_t(_.fill||null),_.dir=St(_.dir,-1),b=b??C.length,C.splice(b,0,_)}function L0(_){_==null?C.length=0:C.splice(_,1)}n.addBand=I0,n.setBand=P0,n.delBand=L0;function D0(_,b){v[_].alpha=b,me&&ot[_]!=null&&(ot[_].style.opacity=b),Q&&st[_]&&(st[_].style.opacity=b)}let os,Cs,Ks,Rr={focus:!0};function N0(_){if(_!=Ks){let b=_==null,P=Oe.alpha!=1;v.forEach((I,k)=>{if(s==1||k>0){let $=b||k==0||k==_;I._focus=b?null:$,P&&D0(k,$?1:Oe.alpha)}}),Ks=_,P&&Nn()}}Q&&je&&vt(Bm,Ae,_=>{he._lock||(Ke(_),Ks!=null&&zi(null,Rr,!0,un.setSeries))});function Hi(_,b,P){let I=M[b];P&&(_=_/bt-(I.ori==1?rt:Ye));let k=F;I.ori==1&&(k=Ce,_=k-_),I.dir==-1&&(_=k-_);let $=I._min,oe=I._max,de=_/k,ye=$+(oe-$)*de,De=I.distr;return De==3?go(10,ye):De==4?ab(ye,I.asinh):De==100?I.bwd(ye):ye}function U0(_,b){let P=Hi(_,A,b);return Ni(P,e[0],nn,sn)}n.valToIdx=_=>Ni(_,e[0]),n.posToIdx=U0,n.posToVal=Hi,n.valToPos=(_,b,P)=>M[b].ori==0?r(_,M[b],P?W:F,P?R:0):o(_,M[b],P?ce:Ce,P?y:0),n.setCursor=(_,b,P)=>{Bt=_.left,Wt=_.top,js(null,b,P)};function Vd(_,b){Gt(Ar,fo,kt.left=_),Gt(Ar,Aa,kt.width=b)}function Wd(_,b){Gt(Ar,"top",kt.top=_),Gt(Ar,Ra,kt.height=b)}let Ro=L.ori==0?Vd:Wd,Co=L.ori==1?Vd:Wd;function F0(){if(Q&&ue.live)for(let _=s==2?1:0;_<v.length;_++){if(_==0&&at)continue;let b=ue.values[_],P=0;for(let I in b)He[_][P++].firstChild.nodeValue=b[I]}}function Th(_,b){if(_!=null&&(_.idxs?_.idxs.forEach((P,I)=>{ie[I]=P}):ub(_.idx)||ie.fill(_.idx),ue.idx=ie[0]),Q&&ue.live){for(let P=0;P<v.length;P++)(P>0||s==1&&!at)&&O0(P,ie[P]);F0()}fe=!1,b!==!1&&Tn("setLegend")}n.setLegend=Th;function O0(_,b){let P=v[_],I=_==0&&H==2?ti:e[_],k;at?k=P.values(n,_,b)??nt:(k=P.value(n,b==null?null:I[b],_,b),k=k==null?nt:{_:k}),ue.values[_]=k}function js(_,b,P){Hd=Bt,Gd=Wt,[Bt,Wt]=he.move(n,Bt,Wt),he.left=Bt,he.top=Wt,me&&(br&&ts(br,yn(Bt),0,F,Ce),wr&&ts(wr,0,yn(Wt),F,Ce));let I,k=nn>sn;os=Dt,Cs=null;let $=L.ori==0?F:Ce,oe=L.ori==1?F:Ce;if(Bt<0||Kt==0||k){I=he.idx=null;for(let de=0;de<v.length;de++){let ye=ot[de];ye!=null&&ts(ye,-10,-10,F,Ce)}je&&zi(null,Rr,!0,_==null&&un.setSeries),ue.live&&(ie.fill(I),fe=!0)}else{let de,ye,De;s==1&&(de=L.ori==0?Bt:Wt,ye=Hi(de,A),I=he.idx=Ni(ye,e[0],nn,sn),De=V(e[0][I],L,$,0));let Ne=-10,Fe=-10,it=0,Mt=0,yt=!0,pt="",Je="";for(let We=s==2?1:0;We<v.length;We++){let zt=v[We],Qt=ie[We],An=Qt==null?null:s==1?e[We][Qt]:e[We][1][Qt],Pt=he.dataIdx(n,We,I,ye),en=Pt==null?null:s==1?e[We][Pt]:e[We][1][Pt];if(fe=fe||en!=An||Pt!=Qt,ie[We]=Pt,We>0&&zt.show){let ni=Pt==null?-10:Pt==I?De:V(s==1?e[0][Pt]:e[We][0][Pt],L,$,0),Hn=en==null?-10:N(en,s==1?M[zt.scale]:M[zt.facets[1].scale],oe,0);if(je&&en!=null){let di=L.ori==1?Bt:Wt,Si=Sn(Oe.dist(n,We,Pt,Hn,di));if(Si<os){let Gi=Oe.bias;if(Gi!=0){let ii=Hi(di,zt.scale),fi=en>=0?1:-1,Mi=ii>=0?1:-1;Mi==fi&&(Mi==1?Gi==1?en>=ii:en<=ii:Gi==1?en<=ii:en>=ii)&&(os=Si,Cs=We)}else os=Si,Cs=We}}if(fe||Re){let di,Si;L.ori==0?(di=ni,Si=Hn):(di=Hn,Si=ni);let Gi,ii,fi,Mi,Vi,Gn,si=!0,Qs=ae.bbox;if(Qs!=null){si=!1;let Vn=Qs(n,We);fi=Vn.left,Mi=Vn.top,Gi=Vn.width,ii=Vn.height}else fi=di,Mi=Si,Gi=ii=ae.size(n,We);if(Gn=ae.fill(n,We),Vi=ae.stroke(n,We),Re)We==Cs&&os<=Oe.prox&&(Ne=fi,Fe=Mi,it=Gi,Mt=ii,yt=si,pt=Gn,Je=Vi);else{let Vn=ot[We];Vn!=null&&(Ot[We]=fi,kn[We]=Mi,Xm(Vn,Gi,ii,si),Vm(Vn,Gn,Vi),ts(Vn,vi(fi),vi(Mi),F,Ce))}}}}if(Re){let We=Oe.prox,zt=Ks==null?os<=We:os>We||Cs!=Ks;if(fe||zt){let Qt=ot[0];Qt!=null&&(Ot[0]=Ne,kn[0]=Fe,Xm(Qt,it,Mt,yt),Vm(Qt,pt,Je),ts(Qt,vi(Ne),vi(Fe),F,Ce))}}}if(kt.show&&As)if(_!=null){let[de,ye]=un.scales,[De,Ne]=un.match,[Fe,it]=_.cursor.sync.scales,Mt=_.cursor.drag;if(wn=Mt._x,En=Mt._y,wn||En){let{left:yt,top:pt,width:Je,height:We}=_.select,zt=_.scales[Fe].ori,Qt=_.posToVal,An,Pt,en,ni,Hn,di=de!=null&&De(de,Fe),Si=ye!=null&&Ne(ye,it);di&&wn?(zt==0?(An=yt,Pt=Je):(An=pt,Pt=We),en=M[de],ni=V(Qt(An,Fe),en,$,0),Hn=V(Qt(An+Pt,Fe),en,$,0),Ro(Ui(ni,Hn),Sn(Hn-ni))):Ro(0,$),Si&&En?(zt==1?(An=yt,Pt=Je):(An=pt,Pt=We),en=M[ye],ni=N(Qt(An,it),en,oe,0),Hn=N(Qt(An+Pt,it),en,oe,0),Co(Ui(ni,Hn),Sn(Hn-ni))):Co(0,oe)}else Ch()}else{let de=Sn(Hd-kd),ye=Sn(Gd-zd);if(L.ori==1){let it=de;de=ye,ye=it}wn=Ln.x&&de>=Ln.dist,En=Ln.y&&ye>=Ln.dist;let De=Ln.uni;De!=null?wn&&En&&(wn=de>=De,En=ye>=De,!wn&&!En&&(ye>de?En=!0:wn=!0)):Ln.x&&Ln.y&&(wn||En)&&(wn=En=!0);let Ne,Fe;wn&&(L.ori==0?(Ne=Er,Fe=Bt):(Ne=Tr,Fe=Wt),Ro(Ui(Ne,Fe),Sn(Fe-Ne)),En||Co(0,oe)),En&&(L.ori==1?(Ne=Er,Fe=Bt):(Ne=Tr,Fe=Wt),Co(Ui(Ne,Fe),Sn(Fe-Ne)),wn||Ro(0,$)),!wn&&!En&&(Ro(0,0),Co(0,0))}if(Ln._x=wn,Ln._y=En,_==null){if(P){if(tf!=null){let[de,ye]=un.scales;un.values[0]=de!=null?Hi(L.ori==0?Bt:Wt,de):null,un.values[1]=ye!=null?Hi(L.ori==1?Bt:Wt,ye):null}Io(nd,n,Bt,Wt,F,Ce,I)}if(je){let de=P&&un.setSeries,ye=Oe.prox;Ks==null?os<=ye&&zi(Cs,Rr,!0,de):os>ye?zi(null,Rr,!0,de):Cs!=Ks&&zi(Cs,Rr,!0,de)}}fe&&(ue.idx=I,Th()),b!==!1&&Tn("setCursor")}let Ps=null;Object.defineProperty(n,"rect",{get(){return Ps==null&&Po(!1),Ps}});function Po(_=!1){_?Ps=null:(Ps=g.getBoundingClientRect(),Tn("syncRect",Ps))}function Xd(_,b,P,I,k,$,oe){he._lock||As&&_!=null&&_.movementX==0&&_.movementY==0||(Ah(_,b,P,I,k,$,oe,!1,_!=null),_!=null?js(null,!0,!0):js(b,!0,!1))}function Ah(_,b,P,I,k,$,oe,de,ye){if(Ps==null&&Po(!1),Ke(_),_!=null)P=_.clientX-Ps.left,I=_.clientY-Ps.top;else{if(P<0||I<0){Bt=-10,Wt=-10;return}let[De,Ne]=un.scales,Fe=b.cursor.sync,[it,Mt]=Fe.values,[yt,pt]=Fe.scales,[Je,We]=un.match,zt=b.axes[0].side%2==1,Qt=L.ori==0?F:Ce,An=L.ori==1?F:Ce,Pt=zt?$:k,en=zt?k:$,ni=zt?I:P,Hn=zt?P:I;if(yt!=null?P=Je(De,yt)?a(it,M[De],Qt,0):-10:P=Qt*(ni/Pt),pt!=null?I=We(Ne,pt)?a(Mt,M[Ne],An,0):-10:I=An*(Hn/en),L.ori==1){let di=P;P=I,I=di}}ye&&(b==null||b.cursor.event.type==nd)&&((P<=1||P>=F-1)&&(P=fr(P,F)),(I<=1||I>=Ce-1)&&(I=fr(I,Ce))),de?(kd=P,zd=I,[Er,Tr]=he.move(n,P,I)):(Bt=P,Wt=I)}let Rh={width:0,height:0,left:0,top:0};function Ch(){Ba(Rh,!1)}let qd,Yd,$d,Zd;function Jd(_,b,P,I,k,$,oe){As=!0,wn=En=Ln._x=Ln._y=!1,Ah(_,b,P,I,k,$,oe,!0,!1),_!=null&&(vt(id,ld,Kd,!1),Io(Fm,n,Er,Tr,F,Ce,null));let{left:de,top:ye,width:De,height:Ne}=kt;qd=de,Yd=ye,$d=De,Zd=Ne}function Kd(_,b,P,I,k,$,oe){As=Ln._x=Ln._y=!1,Ah(_,b,P,I,k,$,oe,!1,!0);let{left:de,top:ye,width:De,height:Ne}=kt,Fe=De>0||Ne>0,it=qd!=de||Yd!=ye||$d!=De||Zd!=Ne;if(Fe&&it&&Ba(kt),Ln.setScale&&Fe&&it){let Mt=de,yt=De,pt=ye,Je=Ne;if(L.ori==1&&(Mt=ye,yt=Ne,pt=de,Je=De),wn&&Rs(A,Hi(Mt,A),Hi(Mt+yt,A)),En)for(let We in M){let zt=M[We];We!=A&&zt.from==null&&zt.min!=Dt&&Rs(We,Hi(pt+Je,We),Hi(pt,We))}Ch()}else he.lock&&(he._lock=!he._lock,js(b,!0,_!=null));_!=null&&(mn(id,ld),Io(id,n,Bt,Wt,F,Ce,null))}function B0(_,b,P,I,k,$,oe){if(he._lock)return;Ke(_);let de=As;if(As){let ye=!0,De=!0,Ne=10,Fe,it;L.ori==0?(Fe=wn,it=En):(Fe=En,it=wn),Fe&&it&&(ye=Bt<=Ne||Bt>=F-Ne,De=Wt<=Ne||Wt>=Ce-Ne),Fe&&ye&&(Bt=Bt<Er?0:F),it&&De&&(Wt=Wt<Tr?0:Ce),js(null,!0,!0),As=!1}Bt=-10,Wt=-10,ie.fill(null),js(null,!0,!0),de&&(As=de)}function jd(_,b,P,I,k,$,oe){he._lock||(Ke(_),Ao(),Ch(),_!=null&&Io(km,n,Bt,Wt,F,Ce,null))}function Qd(){T.forEach(Aw),U(n.width,n.height,!0)}gr(lh,mo,Qd);let Cr={};Cr.mousedown=Jd,Cr.mousemove=Xd,Cr.mouseup=Kd,Cr.dblclick=jd,Cr.setSeries=(_,b,P,I)=>{let k=un.match[2];P=k(n,b,P),P!=-1&&zi(P,I,!0,!1)},me&&(vt(Fm,g,Jd),vt(nd,g,Xd),vt(Om,g,_=>{Ke(_),Po(!1)}),vt(Bm,g,B0),vt(km,g,jd),gd.add(n),n.syncRect=Po);let ka=n.hooks=i.hooks||{};function Tn(_,b,P){zn?Rt.push([_,b,P]):_ in ka&&ka[_].forEach(I=>{I.call(null,n,b,P)})}(i.plugins||[]).forEach(_=>{for(let b in _.hooks)ka[b]=(ka[b]||[]).concat(_.hooks[b])});let ef=(_,b,P)=>P,un=pn({key:null,setSeries:!1,filters:{pub:Jm,sub:Jm},scales:[A,v[1]?v[1].scale:null],match:[Km,Km,ef],values:[null,null]},he.sync);un.match.length==2&&un.match.push(ef),he.sync=un;let tf=un.key,Ph=Yg(tf);function Io(_,b,P,I,k,$,oe){un.filters.pub(_,b,P,I,k,$,oe)&&Ph.pub(_,b,P,I,k,$,oe)}Ph.sub(n);function k0(_,b,P,I,k,$,oe){un.filters.sub(_,b,P,I,k,$,oe)&&Cr[_](null,b,P,I,k,$,oe)}n.pub=k0;function z0(){Ph.unsub(n),gd.delete(n),bn.clear(),ud(lh,mo,Qd),l.remove(),Ae?.remove(),Tn("destroy")}n.destroy=z0;function Ih(){Tn("init",i,e),To(e||i.data,!1),G[A]?bh(A,G[A]):Ao(),ne=kt.show&&(kt.width>0||kt.height>0),ee=fe=!0,U(i.width,i.height)}return v.forEach(vr),T.forEach(ns),t?t instanceof HTMLElement?(t.appendChild(l),Ih()):t(n,Ih):Ih(),n}Dn.assign=pn;Dn.fmtNum=bd;Dn.rangeNum=ch;Dn.rangeLog=dh;Dn.rangeAsinh=Sd;Dn.orient=xr;Dn.pxRatio=bt;Dn.join=xb;Dn.fmtDate=Ed,Dn.tzDate=Cb;Dn.sync=Yg;{Dn.addGap=uw,Dn.clipGaps=mh;let i=Dn.paths={points:Qg};i.linear=t0,i.stepped=pw,i.bars=mw,i.spline=_w}var Rw=[["Energy","J",[["energy","total"],["kinetic","kinetic"],["potential","potential"]]],["Momentum","kg m/s",[["momentum","linear"],["angular","angular [kg m²/s]"]]],["Overlap","m",[["penetration","deepest"]]],["Joint error","m",[["joint_error","largest"]]],["Sweeps","",[["iterations","used"]]]],Cw={light:["#0072b2","#d55e00","#008a65","#b5559a","#a87500","#5a4fcf"],dark:["#4fb3f0","#ff8a47","#2fc79a","#e08cc8","#e3b341","#a79cff"]},Ld=6e3;function r0(i,e){let t=Ze("plots"),n=Ze("part-plots"),s=pe("table",{aria:{label:"Newest figures"}}),r=pe("div",{}),o=pe("table",{aria:{label:"Time per phase"}});t.append(s,r,pe("h3",{},"Time per phase [ms]"),o,pe("p",{className:"soft"},"Times beside a browser that draws on the same processor are no benchmark."));let a=new Dd,c=[],l=()=>{r.replaceChildren(),c=Rw.map(h=>Pw(r,h,a,e()))},u=()=>{if(!(!n.open||document.hidden)){c.length||l();for(let h of c)h.update()}};return i.addEventListener("report",({detail:h})=>{a.push(h.step,h.time,h.figures??{},h.second),n.open&&(Lw(s,h),Dw(o,h.phases??{}))}),i.addEventListener("scene",async({detail:h})=>{h.same||a.clear();try{let d=await i.transport.json("series?since=0");a.begin(d)}catch{}u()}),n.addEventListener("toggle",u),setInterval(u,250),{theme:()=>{c=[],u()}}}var Dd=class{constructor(){this.clear()}clear(){this.steps=[],this.times=[],this.columns={}}begin({step:e=[],time:t=[],figures:n={}}){this.clear();let s=Math.max(0,e.length-Ld);this.steps=e.slice(s),this.times=t.slice(s);for(let[r,o]of Object.entries(n))this.columns[r]=o.slice(s)}push(e,t,n,s){for(;this.steps.length&&this.steps.at(-1)>=e;)this.cut(this.steps.length-1);this.steps.length>=Ld&&this.drop(),this.steps.push(e),this.times.push(t);let r={...n};for(let[o,a]of Object.entries(s?.figures??s??{}))r[`second ${o}`]=a;for(let o of Object.keys(r))this.columns[o]??=new Array(this.steps.length-1).fill(null);for(let[o,a]of Object.entries(this.columns))a.push(typeof r[o]=="number"?r[o]:null)}cut(e){this.steps.length=this.times.length=e;for(let t of Object.values(this.columns))t.length=e}drop(){let e=t=>t.filter((n,s)=>s%2===0||s>Ld-1e3);this.steps=e(this.steps),this.times=e(this.times);for(let t of Object.keys(this.columns))this.columns[t]=e(this.columns[t])}};function Pw(i,[e,t,n],s,r){let o=pe("span",{}),a=pe("div",{className:"chart"},pe("h3",{},`${e}${t?` [${t}]`:""}`,o));i.append(a);let c=Cw[r?"dark":"light"],l=r?"#a9b1bb":"#4f5761",u={stroke:r?"#343a41":"#d9dde2",width:1},d={stroke:l,grid:u,ticks:u,font:"11px system-ui, sans-serif"},f=[...n.map(([p])=>p),...n.map(([p])=>`second ${p}`)],g=f.map((p,v)=>({stroke:c[v%n.length],width:1.6,dash:v>=n.length?[5,4]:void 0,points:{show:!1},spanGaps:!0})),S=new Dn({width:Math.max(200,i.clientWidth),height:120,legend:{show:!1},cursor:{show:!1},scales:{x:{time:!1},y:{range:(p,v,T)=>Iw(v,T)}},axes:[{...d,size:24},{...d,size:52,values:(p,v)=>v.map(T=>Rn(T))}],series:[{},...g]},[[],...f.map(()=>[])],a);return{update:()=>{let p=Math.max(200,i.clientWidth);S.width!==p&&S.setSize({width:p,height:120});let v=f.map(T=>s.columns[T]??new Array(s.times.length).fill(null));S.setData([s.times,...v]),o.textContent=n.map(([T,M],C)=>`${M} ${Rn(v[C].at(-1))}`).join(" · ")}}}function Iw(i,e){if(i===null||e===null)return[0,1];let t=.08*(e-i)||.1*Math.abs(e)||1e-9;return[i-t,e+t]}function Lw(i,{figures:e={},second:t}){let n=t?.figures??t,s=Object.entries(e).map(([r,o])=>pe("tr",{},pe("th",{scope:"row"},r.replaceAll("_"," ")),pe("td",{className:"n"},Rn(o)),...n?[pe("td",{className:"n"},Rn(n[r]))]:[]));i.replaceChildren(pe("tbody",{},...s))}function Dw(i,e){let t=Object.entries(e).map(([n,s])=>pe("tr",{},pe("th",{scope:"row"},n.replaceAll("_"," ")),pe("td",{className:"n"},Rn(s))));i.replaceChildren(pe("tbody",{},...t))}function o0(i,e){let t=i??{},n=[];return a0(t,l0(t,t),e??{},"",n),n}function a0(i,e,t,n,s){for(let[r,o]of Object.entries(e.properties??{})){let a=l0(i,o),c=t?.[r]??o.default??a.default??null,l=n+r;if(a.properties&&!a.optional)a0(i,a,c,`${l}.`,s);else{let u=Uw(l,a,c);u&&s.push(u)}}}function l0(i,e){let t=e,n=!1;for(let s=0;s<8;s++){let r=o=>o.filter(a=>a.type!=="null");if(t.$ref)t={...Nw(i,t.$ref),...Nd(t,"$ref")};else if(t.allOf?.length===1)t={...t.allOf[0],...Nd(t,"allOf")};else if(t.anyOf&&r(t.anyOf).length===1)n||=t.anyOf.length>1,t={...r(t.anyOf)[0],...Nd(t,"anyOf")};else break}return Array.isArray(t.type)&&(n||=t.type.includes("null"),t={...t,type:t.type.find(s=>s!=="null")}),{...t,optional:n}}function Nw(i,e){return e.replace(/^#\//,"").split("/").reduce((t,n)=>t?.[n],i)??{}}function Nd(i,e){let{[e]:t,...n}=i;return n}function Uw(i,e,t){let n={key:i,optional:e.optional,description:c0(e.description??""),value:t},s=Fw(e);return s?{...n,kind:"choice",choices:s}:e.type==="boolean"?{...n,kind:"boolean"}:e.type==="integer"||e.type==="number"?{...n,kind:e.type,min:e.minimum??e.exclusiveMinimum,max:e.maximum??e.exclusiveMaximum}:e.type==="string"?{...n,kind:"text"}:null}function Fw(i){if(i.enum)return i.enum.filter(n=>n!==null).map(n=>({value:n,description:""}));let e=i.oneOf??i.anyOf;if(!e)return null;let t=e.flatMap(n=>(n.enum??("const"in n?[n.const]:[])).map(s=>({value:s,description:c0(n.description??"")})));return t.length?t:null}function c0(i){return i.replace(/\[`([^`\]]+)`\](\([^)]*\))?/g,"$1").replace(/`/g,"").replace(/\\([[\]])/g,"$1").replace(/\s+/g," ").trim()}function h0(i,e){if(i.kind==="boolean")return e===""?null:e===!0||e==="true";if(e===""&&i.optional)return null;if(i.kind==="choice")return i.choices?.find(({value:n})=>String(n)===e)?.value??e;if(i.kind==="text")return e;let t=Number(e);if(e===""||!Number.isFinite(t))throw new RangeError(`${i.key} wants a number`);if(i.kind==="integer"&&!Number.isInteger(t))throw new RangeError(`${i.key} wants a whole number`);if(i.min!==void 0&&t<i.min)throw new RangeError(`${i.key} is at least ${i.min}`);if(i.max!==void 0&&t>i.max)throw new RangeError(`${i.key} is at most ${i.max}`);return t}function vh(i,e,t,n,s){let r=o0(e,t).map(o=>{let a=Bw(o);return a.addEventListener("change",()=>{try{n(o.key,h0(o,a.type==="checkbox"?a.checked:a.value)),a.removeAttribute("aria-invalid")}catch(c){a.setAttribute("aria-invalid","true"),s(c.message)}}),a.dataset.key=o.key,pi(Ow(o.key),a,o.description)});i.replaceChildren(...r)}var Ow=i=>i.replaceAll("_"," ").replaceAll(".",": ");function Bw(i){if(i.kind==="boolean"&&!i.optional)return pe("input",{type:"checkbox",checked:!!i.value});if(i.kind==="choice"||i.kind==="boolean")return kw(i);let e=i.kind==="text"?"text":"number",t=pe("input",{type:e,value:i.value??"",placeholder:i.optional?"automatic":""});return e==="number"&&(t.step=i.kind==="integer"?"1":"any",i.min!==void 0&&(t.min=String(i.min)),i.max!==void 0&&(t.max=String(i.max))),t}function kw(i){let e=i.choices??[{value:!0,description:""},{value:!1,description:""}],t=r=>r===!0?"yes":r===!1?"no":String(r),n=e.map(({value:r,description:o})=>pe("option",{value:String(r),title:o},t(r)));i.optional&&n.unshift(pe("option",{value:""},"automatic"));let s=pe("select",{},...n);return s.value=i.value===null?"":String(i.value),s}function u0(i){let e=Ze("scene"),t=pe("input",{type:"search",placeholder:"part of a name"}),n=pe("select",{}),s=pe("p",{className:"soft"}),r=pe("div",{}),o={},a=()=>i.catalog?.scenes??[],c=h=>{let d=a().find(({name:f})=>f===n.value);s.textContent=d?.summary??"",o={...h},vh(r,Hw(d?.parameters??[]),h,(f,g)=>{o[f]=g},f=>i.tell("note",f))},l=()=>{let h=t.value.toLowerCase(),d=a().filter(({name:g})=>g.toLowerCase().includes(h)),f=n.value;n.replaceChildren(...d.map(({name:g})=>pe("option",{value:g},g))),d.some(({name:g})=>g===f)?n.value=f:d.length&&c({})};t.addEventListener("input",l),n.addEventListener("change",()=>c({}));let u=bi("Begin this scene",()=>i.do("scene",{name:n.value,parameters:o}));u.className="main",e.append(pi("Find",t),pi("Scene",n),s,r,pe("div",{className:"buttons"},u)),i.addEventListener("scene",({detail:h})=>{n.options.length||l();let{scene:d,parameters:f,source:g}=h.scene.head;a().some(({name:S})=>S===d)||n.prepend(pe("option",{value:d},`${d} (${g})`)),n.value=d,c(f??{})})}var zw={count:"integer",number:"number",flag:"boolean"};function Hw(i){let e=({name:t,kind:n,help:s,default:r,min:o,max:a})=>[t,{type:zw[n],default:n==="flag"?!!r:r,description:s,minimum:o??void 0,maximum:a??void 0}];return{properties:Object.fromEntries(i.map(e))}}var Gw={shadows:"Shadows",ground:"Ground",wireframe:"Wireframe",shapes:"Edges of shapes",contacts:"Contacts, forces",velocities:"Velocities",joints:"Joint frames",masses:"Centres of mass",bounds:"Bounding boxes",sleepers:"Sleeping bodies"},Vw=[["own","their own"],["islands","islands"],["colours","colours of the sweep"],["heat","overlap as heat"]];function d0({session:i,stage:e,loop:t}){let n=new Map,s=pe("p",{className:"soft"}),r=()=>{let{contacts:l,velocities:u,bounds:h}=e.show,d=e.coloring==="heat";return i.do("show",{contacts:l||d,velocities:u,bounds:h,groups:["islands","colours"].includes(e.coloring)})},o=()=>{e.apply(),t.touch(),r()},a=([l,u])=>{let h=pe("input",{type:"checkbox",checked:e.show[l]});return h.dataset.show=l,h.addEventListener("change",()=>{e.show[l]=h.checked,o()}),n.set(l,h),pe("label",{},h,u)},c=pe("select",{},...Vw.map(([l,u])=>pe("option",{value:l},u)));c.dataset.show="coloring",c.addEventListener("change",()=>{e.coloring=c.value,o()}),Ze("show").append(pe("div",{className:"checks"},...Object.entries(Gw).map(a)),pi("Colours",c),s),i.addEventListener("scene",({detail:l})=>{let{can:u={},why:h={}}=l.scene.head,d=(f,g)=>{let S=n.get(f);S.disabled=!g,S.parentElement.classList.toggle("off",!g),g||(S.checked=e.show[f]=!1)};d("contacts",u.contacts!==!1),d("joints",(l.scene.head.joints??[]).length>0),c.options[2].disabled=u.colors===!1,c.options[3].disabled=u.contacts===!1,c.selectedOptions[0]?.disabled&&(c.value=e.coloring="own"),s.textContent=[...new Set([h.contacts,h.colors,h.joints])].filter(Boolean).join(" "),e.apply(),r()})}function f0(i){let e=pe("select",{});e.dataset.key="solver";let t=pe("p",{className:"soft"}),n=pe("div",{});e.addEventListener("change",()=>i.do("solver",{name:e.value})),Ze("solver").append(pi("Solver",e),t,n),i.addEventListener("settings",({detail:s})=>{let{solver:r,options:o}=s,{can:a={}}=i.scene?.head??{},c=i.catalog?.solvers??[];e.replaceChildren(...c.map(({name:h})=>pe("option",{value:h},h))),e.value=r,e.disabled=a.edit===!1;let l=c.find(({name:h})=>h===r);t.textContent=l?.summary??"";let u=document.activeElement?.getAttribute?.("data-key");vh(n,l?.schema??{},{...l?.defaults,...o},(h,d)=>i.do("option",{key:h,value:d}),h=>i.tell("note",h)),a.edit===!1&&n.querySelectorAll("input, select").forEach(h=>{h.disabled=!0}),u&&n.querySelector(`[data-key="${CSS.escape(u)}"]`)?.focus()})}function p0(i){let e=pe("select",{});e.dataset.key="compare";let t=pe("p",{className:"soft",attributes:{"aria-live":"polite"}}),n=pe("p",{className:"soft"});e.addEventListener("change",()=>i.do("compare",{solver:e.value||null})),Ze("compare").append(pe("p",{className:"soft"},"A second simulation goes on from the same state with the same commands; both are drawn side by side."),pi("Beside it",e),t,n),i.addEventListener("scene",({detail:s})=>{let{solver:r,second:o,can:a={},why:c={}}=s.scene.head,l=i.catalog?.solvers??[];e.replaceChildren(pe("option",{value:""},"nothing"),...l.map(({name:u})=>pe("option",{value:u},u))),e.value=o?.solver??"",e.disabled=a.compare===!1,n.textContent=c.compare??"",Ze("panes").hidden=!o,Ze("pane-first").textContent=r,Ze("pane-second").textContent=o?.solver??""}),i.addEventListener("report",({detail:s})=>{let{parted:r,second:o}=s;t.textContent=o?r?`They part at step ${r.step}: ${(1e3*r.distance).toPrecision(3)} mm there.`:"They have not parted yet.":""})}function m0(i){let e=matchMedia("(prefers-color-scheme: dark)"),t=null,n=()=>{t&&(document.documentElement.dataset.theme=t),i(t?t==="dark":e.matches)};e.addEventListener("change",n),Ze("theme").addEventListener("click",()=>{t=(t?t==="dark":e.matches)?"light":"dark",n()}),n()}var Ww=6e3;function g0(i,e){i.addEventListener("scene",({detail:t})=>{let{scene:n,solver:s,second:r}=t.scene.head;Ze("badge-scene").textContent=n,Ze("badge-solver").textContent=r?`${s} beside ${r.solver}`:s,document.title=`${n} · Drystone`}),i.addEventListener("report",({detail:t})=>{Ze("badge-figures").textContent=Xw(i,e,t)}),qw(i),Yw(i)}function Xw(i,e,t){let{contacts:n,asleep:s}=t.figures??{},o=[`${i.scene?.bodies.count??0} bodies`];n!=null&&o.push(`${n} contacts`),s&&o.push(`${s} asleep`);let a=[o.join(" · ")],{shown:c,all:l}=e.drawn[0]?.shown??{shown:0,all:0};return e.show.contacts&&c<l&&a.push(`${c} of ${l} contacts shown`),i.dropped&&a.push(`${i.dropped} frames left out`),t.parted&&a.push(`parted at step ${t.parted.step}`),t.failed&&a.push(`stopped: ${t.failed}`),a.join(`
`)}function qw(i){let e=Ze("notice"),t=0,n=(r,o=!1)=>{e.textContent=r,e.hidden=!1,clearTimeout(t),o||(t=setTimeout(()=>{e.hidden=!0},Ww))},s=!1;i.addEventListener("note",({detail:r})=>{s||n(r)}),i.addEventListener("ended",({detail:r})=>n(`The engine has ended${r?.why?`: ${r.why}`:"."}`,!0)),i.addEventListener("state",({detail:r})=>{r.state==="lost"&&!document.hidden&&n("The engine does not answer; trying again.",!0),r.state==="refused"&&n("The engine refuses this address: it was started again. Open the address it printed.",!0),r.state==="open"&&s&&(e.hidden=!0),s=r.state!=="open",document.documentElement.dataset.link=r.state})}function Yw(i){let e=Ze("summary"),t="",n=0;i.addEventListener("report",({detail:s})=>{if(!i.scene)return;let{scene:r}=i.scene.head,o=`${r} ${s.solver} ${s.playing?"playing":"paused"} ${s.failed??""} ${i.selected}`,a=performance.now();if(o===t&&a-n<15e3)return;t=o,n=a;let{contacts:c,penetration:l}=s.figures??{},u=i.selected>=0?` Selected: ${i.scene.bodies.names[i.selected]||`body ${i.body}`}.`:"";e.textContent=`${r}, ${s.solver?`solver ${s.solver}`:"a recording"}, ${s.playing?"playing":"paused"} at ${s.time.toFixed(1)} seconds, step ${s.step}. ${i.scene.bodies.count} bodies, ${c??"unknown"} contacts, deepest overlap ${Rn(l)} metres.${u}`+(s.failed?` Stopped: ${s.failed}`:"")})}var Zs=Object.freeze({state:0,report:1,alive:2,bye:3,changed:4}),Fi=Object.freeze({bodies:1,affine:2,particles:4,contacts:8,marks:16,velocities:32,groups:64,bounds:128,second:256,held:512,depths:1024}),Ud=32;function x0(i){if(i.byteLength<Ud)throw new RangeError(`a frame of ${i.byteLength} bytes has no head`);let e=new DataView(i),t=e.getUint8(5);if(t!==1)throw new RangeError(`the engine speaks version ${t}, this page 1: load the page again`);let n={kind:e.getUint8(4),generation:e.getUint32(8,!0),dropped:e.getUint32(12,!0),step:Number(e.getBigUint64(16,!0)),time:e.getFloat64(24,!0)};if(n.kind===Zs.report||n.kind===Zs.bye){let s=new TextDecoder().decode(new Uint8Array(i,Ud)).replace(/\0+$/,"");return{...n,json:s?JSON.parse(s):null}}return n.kind===Zs.state?{...n,...$w(i,e.getUint16(6,!0))}:n}function $w(i,e){let t=new Fd(i,Ud),n={state:_0(t,e)};if(e&Fi.second){let s=t.u16();t.u16(),n.second=_0(t,s)}return n}function _0(i,e){let t={bodies:0};if(e&Fi.bodies&&(t.bodies=i.u32(),t.positions=i.floats(3*t.bodies),t.turns=i.shorts(4*t.bodies)),e&Fi.affine&&(t.affine=i.floats(9*i.u32())),e&Fi.particles&&(t.particles=i.floats(3*i.u32())),e&Fi.contacts){let n=i.u32(),s=i.u32(),r=i.floats(8*n);t.contacts={shown:n,all:s,data:r,bodies:new Int32Array(r.buffer,r.byteOffset,r.length)}}return e&Fi.marks&&(t.marks=i.bytes(i.u32())),e&Fi.velocities&&(t.velocities=i.floats(3*i.u32())),e&Fi.groups&&(t.groups=i.words(2*i.u32())),e&Fi.bounds&&(t.bounds=i.floats(6*i.u32())),e&Fi.held&&(t.held=i.floats(6)),e&Fi.depths&&(t.depths=i.floats(i.u32())),t}var Fd=class{constructor(e,t){this.buffer=e,this.view=new DataView(e),this.at=t}u32(){return this.view.getUint32(this.skip(4),!0)}u16(){return this.view.getUint16(this.skip(2),!0)}bytes(e){return new Uint8Array(this.buffer,this.skip(e),e)}floats(e){return this.array(Float32Array,e)}shorts(e){return this.array(Int16Array,e)}words(e){return this.array(Uint16Array,e)}array(e,t){let n=t*e.BYTES_PER_ELEMENT,s=this.skip(n);return s%e.BYTES_PER_ELEMENT===0?new e(this.buffer,s,t):new e(this.buffer.slice(s,s+n))}skip(e){let t=this.at;if(this.at+=e,this.at>this.buffer.byteLength)throw new RangeError(`a frame ends at byte ${this.buffer.byteLength} before byte ${this.at}`);return t}};function v0(i){let e=new DataView(i).getUint32(0,!0),t=JSON.parse(new TextDecoder().decode(new Uint8Array(i,4,e))),n=4*Math.ceil((4+e)/4),s=(l,u)=>new Float32Array(i,n+l,u),r=(l,u)=>new Uint32Array(i,n+l,u),o=({vertices:l,triangles:u,at:h})=>({positions:s(h,3*l),normals:s(h+12*l,3*l),triangles:r(h+24*l,3*u)}),a=(l,u)=>{let h=l?.triangles??l?.segments??0;return h?r(l.at,u*h):new Uint32Array(0)},c=l=>new DataView(i,n+l.at);return{head:t,meshes:t.meshes.map(o),parts:t.packed?.parts?Jw(c(t.packed.parts),t.packed.parts.count):Zw(t.parts),bodies:t.packed?.bodies?jw(c(t.packed.bodies),t.packed.bodies.count):Kw(t.bodies),cloth:a(t.cloth,3),tets:a(t.tets,3),strings:a(t.strings,2)}}function y0(i){return{count:i,mesh:new Uint32Array(i),body:new Int32Array(i),at:new Float32Array(7*i),color:new Float32Array(3*i),ground:new Uint8Array(i)}}function Zw(i){let e=y0(i.length);return i.forEach((t,n)=>{e.mesh[n]=t.mesh,e.body[n]=t.body,e.at.set(t.at,7*n),e.color.set(t.color,3*n),e.ground[n]=Number(t.ground)}),e}function Jw(i,e){let t=y0(e);for(let n=0;n<e;n++){let s=40*n;t.mesh[n]=i.getUint32(s,!0),t.body[n]=i.getInt32(s+4,!0);for(let r=0;r<7;r++)t.at[7*n+r]=i.getFloat32(s+8+4*r,!0);for(let r=0;r<3;r++)t.color[3*n+r]=i.getUint8(s+36+r)/255;t.ground[n]=i.getUint8(s+39)}return t}function S0(i){return{count:i,id:new Uint32Array(i),mass:new Float32Array(i),com:new Float32Array(3*i),names:[]}}function Kw(i){let e=S0(i.length);return i.forEach((t,n)=>{e.id[n]=t.id,e.mass[n]=t.mass??0,e.com.set(t.com??[0,0,0],3*n),e.names[n]=t.name??void 0}),e}function jw(i,e){let t=S0(e);for(let n=0;n<e;n++){let s=24*n;t.id[n]=i.getUint32(s,!0),t.mass[n]=i.getFloat32(s+8,!0);for(let r=0;r<3;r++)t.com[3*n+r]=i.getFloat32(s+12+4*r,!0)}return t}var yh=class extends EventTarget{constructor(e){super(),this.transport=e,this.scene=null,this.catalog=null,this.report=null,this.step=0,this.time=0,this.dropped=0,this.selected=-1,this.loading=!1,e.onframe=t=>this.receive(t),e.onstate=t=>this.state(t)}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}async begin(){this.transport.start(),this.catalog=await this.transport.json("catalog"),await this.load()}async load(){if(this.loading){this.again=!0;return}this.loading=!0;try{let e=v0(await this.transport.bytes("scene")),t=this.scene?.head,{instance:n,scene:s,parameters:r}=e.head,o=t?.scene===s&&t?.instance===n&&JSON.stringify(t?.parameters)===JSON.stringify(r),a=o&&this.scene&&this.selected>=0?this.scene.bodies.id[this.selected]:null;this.scene=e,this.selected=a===null?-1:e.bodies.id.indexOf(a),this.tell("scene",{scene:e,same:o}),this.tell("selected",this.selected),this.told="",this.set(e.head),this.waiting?.generation===e.head.generation&&this.tell("frame",this.waiting)}catch(e){this.tell("note",e.message)}this.loading=!1,this.again&&(this.again=!1,await this.load())}receive(e){let t;try{t=x0(e)}catch(n){this.tell("note",n.message);return}this.dropped=t.dropped,t.kind===Zs.report?this.takeReport(t.json):t.kind===Zs.bye?this.tell("ended",t.json):t.kind===Zs.changed?this.load():t.kind===Zs.state&&this.takeState(t)}takeReport(e){let t=this.report?.note;this.report=e,this.tell("report",e),e.note&&e.note!==t&&this.tell("note",e.note),e.settings&&this.set(e.settings)}set({solver:e,options:t,dt:n,gravity:s,friction:r}){let o={solver:e,options:t,dt:n,gravity:s,friction:r},a=JSON.stringify(o);!this.scene||a===this.told||(this.told=a,this.tell("settings",o))}takeState(e){if(this.waiting=e,e.generation!==this.scene?.head.generation){this.scene&&this.load();return}this.step=e.step,this.time=e.time,this.tell("frame",e)}async state(e){this.tell("state",e),e.state==="open"&&this.lost&&await this.load(),this.lost=e.state==="lost"}async do(e,t={}){try{return await this.transport.command({do:e,...t})}catch(n){return this.tell("note",n.message),null}}select(e){e!==this.selected&&(this.selected=e,this.tell("selected",e))}get body(){return this.scene&&this.selected>=0?this.scene.bodies.id[this.selected]:null}};function M0(i,e){let t={Authorization:`Bearer ${i}`},n=async(r,o={})=>{let a=await fetch(r,{headers:t,cache:"no-store",...o});if(a.ok)return a;throw new Error(await Qw(a))},s={json:async r=>(await n(r)).json(),bytes:async r=>(await n(r)).arrayBuffer(),command:async r=>(await n("command",{method:"POST",body:JSON.stringify(r)})).json(),drawn:r=>e.postMessage({do:"drawn",step:r}),start:()=>e.postMessage({do:"open",how:"http",token:i,base:document.baseURI}),stop:()=>e.postMessage({do:"close"}),onframe:()=>{},onstate:()=>{}};return Od(e,s),s}async function Qw(i){let e=await i.text();try{return JSON.parse(e).error??e}catch{return e||`the engine answered ${i.status}`}}function Od(i,e){i.addEventListener("message",({data:t})=>{t.frame?e.onframe(t.frame):t.state&&e.onstate(t)})}function b0(i,e){let t=new Map,n=0,s=a=>new Promise((c,l)=>{n+=1,t.set(n,{done:c,failed:l}),i.postMessage({do:"ask",id:n,...a})});i.addEventListener("message",({data:a})=>{let c=t.get(a.id);c&&(t.delete(a.id),a.error?c.failed(new Error(a.error)):c.done(a.answer))});let r=a=>new TextDecoder().decode(a),o={json:async a=>JSON.parse(r(await s({path:a}))),bytes:a=>s({path:a}),command:async a=>JSON.parse(r(await s({path:"command",body:JSON.stringify(a)}))),drawn:a=>i.postMessage({do:"drawn",step:a}),start:()=>i.postMessage({do:"open",how:"wasm",base:document.baseURI,begin:e}),stop:()=>i.postMessage({do:"close"}),onframe:()=>{},onstate:()=>{}};return Od(i,o),o}function w0(i){let e=new Worker(new URL("worker.js",document.baseURI),{type:"module"});return document.documentElement.dataset.engine==="wasm"?b0(e,eE(i)):M0(location.hash.slice(1),e)}function eE(i){let e=s=>{try{return JSON.parse(s)}catch{return s}},t=i.getAll("set").map(s=>[s.split("=")[0],e(s.slice(s.indexOf("=")+1))]),n=i.get("solver");return{scene:i.get("scene")??"pyramid",parameters:Object.fromEntries(t),...n?{solver:n}:{}}}function E0({session:i,stage:e,loop:t,orbit:n},s){let r=[];i.addEventListener("note",({detail:o})=>r.push(o)),Object.defineProperty(window,"drystone",{value:{session:i,stage:e,loop:t,orbit:n,actions:s,notes:r,get ready(){return!!(e.content&&e.drawn[0].poses.filled&&t.pictures>0&&i.report)},silhouette:(o,a)=>Array.from(e.idBuffer.whole(o,a))}})}var Da=Ze("canvas"),Sh=new nh,T0=new URLSearchParams(location.search),A0=T0.has("embed");document.body.classList.toggle("embed",A0);var Mn=new yh(w0(T0)),Js=nE(),bo=new ih(Js,Mn),Na={session:Mn,stage:Js,loop:bo,orbit:Sh},Ua=rf(Na);g0(Mn,Js);Am(Mn,Ua);u0(Mn);d0(Na);Pm(Mn);f0(Mn);p0(Mn);Im(Mn);Rm(Mn,Ua);Lm(Na,Ua);var tE=r0(Mn,()=>Js.dark);Ze("keys").append(iE());m0(i=>{Js.theme(i),tE.theme(),bo.touch()});Em(Da,Sh,Tm(Na));Mm(Da,Sh,Ua,()=>bo.touch());Mn.addEventListener("scene",({detail:i})=>{Js.load(i.scene,i.same),bo.touch()});Mn.addEventListener("selected",({detail:i})=>{Js.uniforms.dsSelected.value=i<0?-2:i,bo.touch()});new ResizeObserver(()=>{Js.resize(),bo.touch()}).observe(Da);Da.addEventListener("webglcontextrestored",()=>Mn.load());document.addEventListener("visibilitychange",()=>document.hidden?Mn.transport.stop():Mn.transport.start());Ze("toggle-panel").addEventListener("click",()=>R0(Ze("app").classList.contains("closed")));matchMedia("(max-width: 760px)").matches&&R0(!1);E0(Na,Ua);await Mn.begin().catch(i=>Mn.tell("note",i.message));(matchMedia("(prefers-reduced-motion: reduce)").matches||A0)&&Mn.do("pause");function R0(i){Ze("app").classList.toggle("closed",!i),Ze("toggle-panel").setAttribute("aria-expanded",String(i))}function nE(){try{return new eh(Da,Sh)}catch(i){throw Ze("notice").textContent="This browser draws no WebGL 2. `drystone run --export picture.png` makes pictures without it.",Ze("notice").hidden=!1,i}}function iE(){let i=[...Ku.map(([t,,n])=>[t===" "?"space":t.toUpperCase(),n]),["arrows","turn the view; with shift move it"],["PgUp PgDn","nearer, farther"],["drag a body","pull at it"],["drag beside it","turn; right button or shift: move"],["alt drag","turn, even on a body"],["wheel, pinch","nearer, farther"]],e=([t,n])=>pe("tr",{},pe("th",{scope:"row"},pe("kbd",{},t)),pe("td",{},n));return pe("div",{},pe("p",{className:"soft"},"Keys work while the scene has the focus."),pe("table",{},pe("tbody",{},...i.map(e))))}
