# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# REQUIRES: x86_64
#
# A profile with counts that cannot be is an error; one whose counts only do not
# add up is used, with one line of warning. Both say how much, and where.
#
# RUN: rm -rf %t.dir && mkdir %t.dir
# RUN: %link-asm %s %t
#
# What adds up brings no warning: 10 turns of the loop, 2 of them by Lodd.
# FDATA: 0 [unknown] 0 1 _start 0 0 1
# FDATA: 1 _start #Lcall# 1 work 0 0 1
# FDATA: 1 work #Lstart# 1 work #Lloop# 0 1
# FDATA: 1 work #Ltest# 1 work #Lodd# 0 2
# FDATA: 1 work #Ltest# 1 work #Leven# 0 8
# FDATA: 1 work #Lback# 1 work #Llatch# 0 2
# FDATA: 1 work #Leven# 1 work #Llatch# 0 8
# FDATA: 1 work #Lagain# 1 work #Lloop# 0 9
# FDATA: 1 work #Lagain# 1 work #Lreturn# 0 1
# RUN: graupel-bolt %t -o %t.dir/o -data=%t.fdata 2>&1 | FileCheck %s --check-prefix=FINE
# RUN: %t.dir/o && rm %t.dir/o
# FINE-NOT: add up
# FINE-NOT: {{warning|error}}:
#
# Lodd ran twice, and its jump is taken 90 times.
# RUN: sed '6s/ 2$/ 90/' %t.fdata > %t.off
# RUN: graupel-bolt %t -o %t.dir/o -data=%t.off 2>&1 >%t.out | FileCheck %s --check-prefix=OFF
# RUN: graupel-bolt %t -o /dev/null -b %t.off 2>&1 >%t.out | FileCheck %s --check-prefix=OFF
# RUN: %t.dir/o && rm %t.dir/o
# OFF-NOT: {{.}}
# OFF: graupel-bolt: warning: {{.*}}.off: 85 % of the counted branches do not add up, most of them in work; the layout may be poor, record the profile again
# OFF-NOT: {{.}}
#
# llvm-bolt's own pipeline says nothing of it.
# RUN: graupel-bolt %t -o /dev/null -data=%t.off -stock-pipeline 2>&1 | FileCheck %s --check-prefix=FINE
#
# Impossible counts, in fdata and in YAML: 2^53; a number that became negative.
# DEFINE: %{profile} = %t.much
# DEFINE: %{refused} = %refuse graupel-bolt %t -o %t.dir/o -data=%{profile} 2>&1 | FileCheck %s --check-prefix=MUCH
# RUN: sed '5s/ 8$/ 9007199254740992/' %t.fdata > %t.much
# RUN: %{refused}
# RUN: sed '1s/ 1$/ 9007199254740992/' %t.fdata > %t.much
# RUN: %{refused}
# RUN: graupel-bolt %t -o /dev/null -data=%t.fdata -w=%t.yaml
# RUN: sed 's/cnt: 8 /cnt: 18446744073709551608 /' %t.yaml > %t.much.yaml
# REDEFINE: %{profile} = %t.much.yaml
# RUN: %{refused}
# MUCH: graupel-bolt: error: {{.*}}.much{{.*}}: impossible profile: a count of {{9007199254740992|18446744073709551608}} in {{work|_start}}; record the profile again
#
# Nearly as much adds up.
# RUN: sed '5s/ 8$/ 9007199254740988/; 7s/ 8$/ 9007199254740988/; 8s/ 9$/ 9007199254740989/' %t.fdata > %t.most
# RUN: graupel-bolt %t -o %t.dir/o -data=%t.most 2>&1 | FileCheck %s --check-prefix=FINE
#
# What is no count at all is a damaged profile.
# REDEFINE: %{profile} = %t.bad
# DEFINE: %{damaged} = %refuse graupel-bolt %t -o %t.dir/no -data=%{profile} 2>&1 | FileCheck %s --check-prefix=BAD
# RUN: sed '5s/ 8$/ -8/' %t.fdata > %t.bad
# RUN: %{damaged}
# RUN: sed '5s/ 8$/ nan/' %t.fdata > %t.bad
# RUN: %{damaged}
# RUN: sed '5s/ 8$/ 8.5/' %t.fdata > %t.bad
# RUN: %{damaged}
# BAD: graupel-bolt: error: {{.*}}.bad: damaged profile: cannot read line 5; record the profile again

	.text
	.globl work
	.type work,@function
work:
	movl $10, %ecx
Lstart:
	xorl %eax, %eax
Lloop:
	testl $3, %ecx
Ltest:
	je Lodd
Leven:
	addl %ecx, %eax
Llatch:
	decl %ecx
Lagain:
	jne Lloop
Lreturn:
	retq
Lodd:
	decl %eax
Lback:
	jmp Llatch
	.size work, .-work

	.globl _start
	.type _start,@function
_start:
	xorl %edi, %edi
Lcall:
	callq work
	movl $60, %eax
	syscall
	.size _start, .-_start
