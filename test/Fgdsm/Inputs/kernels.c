// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graupel/dsm.h"
#include <stdio.h>
struct N { double x,y,z; struct N *next; int n; short s; char c; float f; };
static __attribute__((noinline)) double sum(struct N *p){double s=0;while(p){s+=p->x+p->y*p->z+p->f+p->s;p=p->next;}return s;}
static __attribute__((noinline)) void axpy(double*a,const double*b,double k,int n){for(int i=0;i<n;i++)a[i]+=k*b[i];}
static __attribute__((noinline)) void mm(double*c,const double*a,const double*b,int n){for(int i=0;i<n;i++)for(int j=0;j<n;j++){double t=0;for(int k=0;k<n;k++)t+=a[i*n+k]*b[k*n+j];c[i*n+j]=t;}}
static __attribute__((noinline)) void stencil(double*o,const double*in,int n){for(int i=1;i<n-1;i++)o[i]=in[i-1]+in[i+1]-2*in[i];}
static __attribute__((noinline)) int gather(const int*a,const int*x,int n){int s=0;for(int i=0;i<n;i++)s+=a[x[i]];return s;}
static __attribute__((noinline)) void scatter(int*a,const int*x,int n){for(int i=0;i<n;i++)a[x[i]]+=i;}
static __attribute__((noinline)) void bytes(unsigned char*a,int n){for(int i=0;i<n;i++)a[i]=a[i]*3+i;}
static __attribute__((noinline)) int fib(int*memo,int n){if(n<2)return n;if(memo[n])return memo[n];return memo[n]=fib(memo,n-1)+fib(memo,n-2);}
static __attribute__((noinline)) void nbody(struct N*b,int n){for(int i=0;i<n;i++)for(int j=0;j<n;j++)if(i!=j){double dx=b[j].x-b[i].x,dy=b[j].y-b[i].y;b[i].z+=dx*dy/(1+dx*dx);b[i].n++;}}
static __attribute__((noinline)) void count(const int*k,int*c,int n,int m){for(int i=0;i<=m;i++)c[i]=0;for(int i=0;i<n;i++)c[k[i]>>2&m]++;}
static __attribute__((noinline)) void permute(const int*k,int*to,long*next,int n,int m){for(int i=0;i<n;i++)to[next[k[i]>>2&m]++]=k[i];}
static __attribute__((noinline)) void digits(int n,int m){int*k=gdsm_malloc(4*n),*to=gdsm_malloc(4*n),*c=gdsm_malloc(4*(m+1));long*next=gdsm_malloc(8*(m+1)),t=0;for(int i=0;i<n;i++)k[i]=i*7919%4001;count(k,c,n,m);for(int i=0;i<=m;i++)next[i]=t,t+=c[i];permute(k,to,next,n,m);for(int i=0;i<n;i++)t=t*3+to[i];printf("%ld\n",t);}
int main(){digits(3000,63);digits(3000,1023);digits(500,4095);int n=100;struct N*p=gdsm_malloc(n*sizeof*p);for(int i=0;i<n;i++){p[i].x=i;p[i].y=i*.5;p[i].z=1;p[i].f=i;p[i].s=i;p[i].c=i;p[i].n=0;p[i].next=i+1<n?&p[i+1]:0;}
printf("%f\n",sum(p));double*a=gdsm_malloc(8*900),*b=gdsm_malloc(8*900),*c=gdsm_malloc(8*900);for(int i=0;i<900;i++){a[i]=i;b[i]=900-i;}
axpy(a,b,.5,900);mm(c,a,b,30);stencil(a,c,900);double s=0;for(int i=0;i<900;i++)s+=a[i]*i+c[i];printf("%f\n",s);
int*x=gdsm_malloc(4000),*y=gdsm_malloc(4000);for(int i=0;i<1000;i++){x[i]=i*7%1000;y[i]=i;}scatter(y,x,1000);printf("%d\n",gather(y,x,1000));
bytes((unsigned char*)x,777);long t=0;for(int i=0;i<1000;i++)t+=x[i];printf("%ld\n",t);int*m=gdsm_malloc(400);for(int i=0;i<100;i++)m[i]=0;printf("%d\n",fib(m,40));nbody(p,40);double q=0;for(int i=0;i<100;i++)q+=p[i].z+p[i].n+p[i].c;printf("%f\n",q);}
